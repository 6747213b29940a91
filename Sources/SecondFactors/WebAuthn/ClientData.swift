import Primitives
import TokenCrypto

/// What the browser says about a ceremony (WebAuthn section 5.8.1).
struct ClientData: Sendable {
    let type: String
    let challenge: String
    let origin: String
    let isCrossOrigin: Bool
    /// The status of the token binding; nil without one.
    let tokenBinding: String?

    /// Other members are ignored: browsers add some so that nobody compares the text with a template.
    init(_ bytes: [UInt8]) throws(WebAuthnError) {
        // Section 7.1 steps 5 and 6, section 7.2 steps 9 and 10: UTF-8, whose byte order mark is stripped, and JSON. Invalid UTF-8 and
        // duplicate names are refused.
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        guard let members = (try? JSONValue(parsing: text, limits: .init(bytes: 16_384, depth: 8)))?.object else {
            throw .malformed("the client data is no JSON object")
        }
        guard let type = members["type"]?.string, let challenge = members["challenge"]?.string, let origin = members["origin"]?.string
        else {
            throw .malformed("the client data lacks a member")
        }
        self.type = type
        self.challenge = challenge
        self.origin = origin
        switch members["crossOrigin"] {
        case nil: isCrossOrigin = false
        case .bool(let value): isCrossOrigin = value
        default: throw .malformed("crossOrigin is no Boolean")
        }
        guard let binding = members["tokenBinding"] else {
            tokenBinding = nil
            return
        }
        guard let status = binding["status"]?.string else { throw .malformed("the token binding has no status") }
        tokenBinding = status
    }

    /// The checks that registration (section 7.1 steps 7 to 10) and assertion (section 7.2 steps 11 to 14) share.
    func check(type: String, challenge: [UInt8], _ relyingParty: RelyingParty) throws(WebAuthnError) {
        // Step 7 and 11: the type of the ceremony.
        guard self.type == type else { throw .type }
        // Step 8 and 12: the challenge, in base64url.
        guard constantTimeEqual(Array(self.challenge.utf8), Array(Base64URL.encode(challenge).utf8)) else { throw .challenge }
        // Step 9 and 13: the origin, byte by byte. The gateway's pages are in no frame of another origin.
        guard origin.utf8.elementsEqual(relyingParty.origin.utf8), !isCrossOrigin else { throw .origin }
        // Step 10 and 14: the gateway negotiates no token binding, so none can match. "supported": the browser could, and did not.
        guard tokenBinding == nil || tokenBinding == "supported" else { throw .tokenBinding }
    }
}

extension AuthenticatorData {
    /// The checks that registration (section 7.1 steps 13 to 15) and assertion (section 7.2 steps 15 to 17) share.
    func check(_ relyingParty: RelyingParty, _ verification: UserVerification) throws(WebAuthnError) {
        // Step 13 and 15: the hash of the RP ID.
        guard constantTimeEqual(relyingPartyHash, SHA2.sha256(Array(relyingParty.id.utf8))) else { throw .relyingParty }
        // Step 14 and 16: the user was present.
        guard flags.contains(.userPresent) else { throw .userPresence }
        // Step 15 and 17: the user was verified, if that was required.
        guard verification != .required || flags.contains(.userVerified) else { throw .userVerification }
    }
}
