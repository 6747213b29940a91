/// A type whose values print as a fixed text in every way Swift prints: interpolation, debugging, `dump`.
package protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension SealingKeyRing: Redacted {}
extension SigningKey: Redacted {}
// A token that was taken apart is still a credential.
extension UnverifiedJWS: Redacted {}
