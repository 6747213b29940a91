package import Accounts
package import TokenCrypto

/// A sign-in with a passkey between its options and the assertion. Its account is the one that signs in again; none: anybody signs in.
package struct PasskeyChallenge: PendingPayload {
    package static let purpose = "passkey"
    /// As long as the browser's dialog stays open.
    package static let lifetime = CredentialCreationOptions.timeout

    package let members: [String: JSONValue] = [:]

    package init() {}
    package init?(members: [String: JSONValue]) {}
}

package typealias PendingPasskey = Pending<PasskeyChallenge>

extension Pending where Payload == PasskeyChallenge {
    var challenge: [UInt8] { ceremony.webAuthnChallenge("") }
}
