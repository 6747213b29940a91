package import Config
package import HTTPWire
package import SignIn
import TokenCrypto

/// A token of the right shape, with the hash by which it is remembered.
package struct PresentedToken: Sendable {
    package let text: String
    package let shape: BearerShape
    /// SHA-256.
    package let hash: [UInt8]

    package init?(_ text: String) {
        guard let shape = BearerShape(text) else { return nil }
        self.text = text
        self.shape = shape
        hash = SHA2.sha256(Array(text.utf8))
    }
}

/// The token of a request on a route with `bearer` (RFC 6750 section 2). Only `Authorization` may carry it.
package enum BearerRequest {
    case none
    case malformed(BearerProblem)
    case token(PresentedToken, nonce: String?)

    /// The header with the raw nonce.
    package static let nonceHeader = "X-Gateway-Nonce"

    /// The names that end at the gateway where this configuration reads them.
    package static func strippedNames(_ configuration: Configuration) -> [String] {
        let all = [configuration.bearer] + configuration.routes.map(configuration.bearer)
        return all.contains { $0?.nonce == .required } ? [nonceHeader] : []
    }

    package init(_ head: RequestHead, _ bearer: BearerConfiguration) {
        // RFC 6750 section 2.3 and RFC 9700 section 4.3.2: addresses are logged, kept and passed on.
        if !head.queryRange.isEmpty, head.queryText.contains("access_token"),
            FormCoding.fields(of: head.queryText)?.contains(where: { $0.name == "access_token" }) ?? true
        {
            self = .malformed(.invalidRequest("the token is in the query; send it in the Authorization header"))
            return
        }
        guard let text = head.bearerText else {
            self = .none
            return
        }
        guard let token = PresentedToken(text) else {
            self = .malformed(.invalidToken("it has characters that no token has, or is larger than 16 KiB"))
            return
        }
        self = .token(token, nonce: bearer.nonce == .required ? head.nonce : nil)
    }
}

extension RequestHead {
    /// The token that the request brings; nil when there is none or none of the right shape.
    package var presentedToken: PresentedToken? { bearerText.flatMap(PresentedToken.init) }

    /// The text after `Bearer`; nil for another scheme or without `Authorization`.
    package var bearerText: String? {
        guard let value = text(.authorization) else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard let scheme = parts.first, scheme.lowercased() == "bearer" else { return nil }
        return parts.count == 2 ? String(parts[1].drop { $0 == " " }) : ""
    }

    /// The raw nonce of the request; nil when there is none or more than one.
    fileprivate var nonce: String? {
        let wanted = BearerRequest.nonceHeader.lowercased()
        let found = fields.filter { $0.known == .other && text($0.nameStart, UInt32($0.nameLength)).lowercased() == wanted }
        return found.count == 1 ? text(found[0].valueStart, found[0].valueLength) : nil
    }
}
