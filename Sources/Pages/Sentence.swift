/// An English sentence with values, which becomes markup or text in a user's language.
struct Sentence: Sendable {
    let english: String
    let values: [String: String]

    init(_ english: String, _ values: [String: String] = [:]) {
        self.english = english
        self.values = values
    }

    /// The sentence for a page: each value but a number is escaped and isolated, so that it cannot reorder the text around it.
    func html(in language: Language) -> HTML {
        let pieces = split(language) { value -> HTML in
            value.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? "\(value)" : "<bdi>\(value)</bdi>"
        } literal: {
            "\($0)"
        }
        return HTML.joined(pieces)
    }

    /// The sentence without markup, for a template or a mail.
    func text(in language: Language) -> String {
        split(language) {
            $0
        } literal: {
            $0
        }.joined()
    }

    /// The parts of the translation. A value is inserted once: braces in a value stay text.
    private func split<Piece>(_ language: Language, value: (String) -> Piece, literal: (String) -> Piece) -> [Piece] {
        var pieces: [Piece] = []
        for part in language(english).split(separator: "{", omittingEmptySubsequences: false) {
            if let end = part.firstIndex(of: "}"), let found = values[String(part[..<end])] {
                pieces.append(value(found))
                pieces.append(literal(String(part[part.index(after: end)...])))
            } else {
                pieces.append(literal(String(part)))
            }
        }
        return pieces
    }
}
