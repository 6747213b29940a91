/// Whether two texts are the same bytes. `==` on `String` also equates different spellings of one character,
/// which no issuer, subject or client id may.
package func sameBytes(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }
