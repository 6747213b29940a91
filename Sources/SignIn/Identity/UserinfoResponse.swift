import Primitives

package import TokenCrypto

/// The claims of a userinfo answer, proven to be about the user of the ID token (OpenID Connect Core 1.0 section 5.3.2).
///
/// Made only by its two parsers.
package struct UserinfoResponse: Sendable {
    package enum Refusal: Error, Sendable, Equatable {
        case status(Int)
        /// An error of the provider's own, with any status; `code` is plain letters and digits, or empty.
        case error(status: Int, code: String)
        /// Says what is wrong in our words.
        case unusable(String)
        /// `sub` is missing or another person's: its claims must not be used.
        case otherSubject
        case signature(IDTokenRefusal)

        package var reason: String {
            switch self {
            case .status(let status): "it answered with status \(status)"
            case .error(let status, let code): "it answered with status \(status) and the error \(code)"
            case .unusable(let what): what
            case .otherSubject: "its sub differs from the ID token's"
            case .signature(let refusal): "the signed response was refused: \(refusal.reason)"
            }
        }

        package func signInError(provider: String) -> SignInError {
            let code: SignInError.Code
            switch self {
            case .otherSubject: code = .subjectMismatch
            case .status(let status) where status >= 500 || status == 429: code = .providerUnavailable
            case .error(let status, _) where status >= 500 || status == 429: code = .providerUnavailable
            default: code = .invalidUserinfo
            }
            return SignInError(code, provider: provider, "userinfo is invalid: \(self.reason)")
        }
    }

    package let claims: JSONValue

    /// OpenID Connect: `application/jwt` is verified like an ID token, `sub` must be `subject` byte for byte.
    init(openID answer: ProviderAnswer, subject: String, verifier: IDTokenVerifier, keys: JWKSet) throws(Refusal) {
        guard answer.status == 200 else { throw Self.failure(answer) }
        let claims: JSONValue
        if answer.mediaType == "application/jwt" {
            guard let text = String(validating: answer.body, as: UTF8.self) else { throw .unusable("the signed response is not text") }
            do {
                claims = try verifier.verifyUserinfo(text, keys: keys)
            } catch {
                throw .signature(error)
            }
        } else {
            claims = try Self.object(answer)
        }
        guard let stated = claims["sub"]?.string, sameBytes(stated, subject) else { throw .otherSubject }
        self.claims = claims
    }

    /// Plain OAuth 2.0: whatever object the API answers with.
    init(oauth2 answer: ProviderAnswer) throws(Refusal) {
        self.claims = try Self.object(answer)
    }

    private static func object(_ answer: ProviderAnswer) throws(Refusal) -> JSONValue {
        let json = try Self.json(answer)
        guard json.object != nil else { throw .unusable("the response is not a JSON object") }
        // Slack, Naver and others refuse with status 200.
        if let code = ProviderErrorCode.text(in: json) { throw .error(status: 200, code: SignInError.plainCode(code) ?? "") }
        return json
    }

    private static func failure(_ answer: ProviderAnswer) -> Refusal {
        guard answer.isJSON, let json = try? JSONValue(parsing: answer.body), let code = ProviderErrorCode.text(in: json),
            let plain = SignInError.plainCode(code)
        else { return .status(answer.status) }
        return .error(status: answer.status, code: plain)
    }

    /// Any JSON, for lists of addresses.
    package static func json(_ answer: ProviderAnswer) throws(Refusal) -> JSONValue {
        guard answer.status == 200 else { throw Self.failure(answer) }
        guard answer.isJSON else { throw .unusable("the response's content type is not JSON") }
        do {
            return try JSONValue(parsing: answer.body)
        } catch {
            throw .unusable("the response is not JSON: \(error)")
        }
    }
}
