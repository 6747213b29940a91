/// A type whose values print as a fixed text in interpolation, debugging and `dump`.
package protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension SealingKeyRing: Redacted {}
extension SigningKey: Redacted {}
// A parsed token is still a credential.
extension UnverifiedJWS: Redacted {}
