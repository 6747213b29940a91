import Providers
package import TokenCrypto

/// A successful answer of a token endpoint (RFC 6749 section 5.1), checked for form; its ID token is not verified.
///
/// Made only by its parser, which `LoginFlow` and `RefreshFlow` call with the answer to their own request.
package struct TokenResponse: Sendable, Equatable {
    package let accessToken: String
    /// Seconds; nil: unknown life.
    package let expiresIn: Int64?
    package let refreshToken: String?
    package let idToken: String?
    /// The granted scopes; nil: as requested.
    package let scopes: [String]?
    /// `token_type` is `DPoP`: the access token is bound to the key of the proof (RFC 9449 section 5).
    package let isBound: Bool

    /// The accepted values of `token_type`, compared without case (RFC 6749 section 7.1).
    package enum TypePolicy: Sendable {
        case bearer
        /// A proof was sent to a provider that may not bind tokens of this client.
        case bearerOrDPoP
        /// A proof was sent, and tokens are to be bound (RFC 9449 section 5).
        case dpop
    }

    /// The refusal of a token endpoint.
    package enum Refusal: Error, Sendable, Equatable {
        /// The endpoint's own error; `code` is what it sent.
        case error(code: String)
        /// An HTTP failure without an error object we can read.
        case status(Int)
        /// Says what is wrong in our words.
        case unusable(String)
    }

    /// A year in seconds. A longer lifetime counts as this.
    static let longestLife: Int64 = 31_536_000

    /// Refuses what is not 200 with a JSON object, or, from plain OAuth 2.0 providers, a form. An `error` member counts whatever the
    /// status (GitHub sends 200). `token_type` must be what `type` says; `expires_in` may be digits in a string.
    init(_ answer: ProviderAnswer, kind: ProviderPreset.Kind, type policy: TypePolicy = .bearer) throws(Refusal) {
        let json = try Self.object(in: answer, kind: kind)
        if let error = json["error"], error != .null {
            throw .error(code: ProviderErrorCode.text(in: json) ?? "")
        }
        guard answer.status == 200 else { throw .status(answer.status) }
        self.accessToken = try Self.mandatory("access_token", of: json)
        switch (try Self.mandatory("token_type", of: json).lowercased(), policy) {
        case ("bearer", .bearer), ("bearer", .bearerOrDPoP): self.isBound = false
        case ("dpop", .dpop), ("dpop", .bearerOrDPoP): self.isBound = true
        case (_, .dpop): throw .unusable("token_type is not DPoP, and dpop is required")
        default: throw .unusable("token_type is not Bearer")
        }
        self.expiresIn = try Self.life(json["expires_in"])
        self.refreshToken = try Self.text("refresh_token", of: json)
        self.idToken = try Self.text("id_token", of: json)
        switch json["scope"] {
        case .string(let text): self.scopes = text.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
        case .array(let items): self.scopes = items.compactMap(\.string)
        default: self.scopes = nil
        }
    }

    private static func object(in answer: ProviderAnswer, kind: ProviderPreset.Kind) throws(Refusal) -> JSONValue {
        if answer.isJSON {
            let json: JSONValue
            do {
                json = try JSONValue(parsing: answer.body)
            } catch {
                throw answer.status == 200 ? .unusable("the response is not JSON: \(error)") : .status(answer.status)
            }
            guard json.object != nil else { throw .unusable("the response is not a JSON object") }
            return json
        }
        guard kind == .oauth2, answer.mediaType == "application/x-www-form-urlencoded" else {
            throw answer.status == 200 ? .unusable("the response's content type is not JSON") : .status(answer.status)
        }
        guard let text = String(validating: answer.body, as: UTF8.self), let fields = FormCoding.fields(of: text) else {
            throw .unusable("the form response is badly encoded")
        }
        var members: [String: JSONValue] = [:]
        for field in fields {
            guard members.updateValue(.string(field.value), forKey: field.name) == nil else {
                throw .unusable("the form response has a field twice")
            }
        }
        return .object(members)
    }

    /// nil for an absent, null or empty member.
    private static func text(_ name: String, of json: JSONValue) throws(Refusal) -> String? {
        guard let member = json[name], member != .null else { return nil }
        guard let text = member.string else { throw .unusable("\(name) is not a string") }
        // A token goes into header fields: visible ASCII and no space (RFC 6749 appendix A).
        guard name == "token_type" || text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw .unusable("\(name) has characters that no token has")
        }
        return text.isEmpty ? nil : text
    }

    private static func mandatory(_ name: String, of json: JSONValue) throws(Refusal) -> String {
        guard let text = try self.text(name, of: json) else { throw .unusable("the response has no \(name)") }
        return text
    }

    /// `expires_in` in seconds, at most a year; nil if it is absent.
    package static func life(_ member: JSONValue?) throws(Refusal) -> Int64? {
        let seconds: Int64?
        switch member {
        case nil, .null: return nil
        case .integer(let value): seconds = value
        case .number(let value): seconds = value >= 0 && value.isFinite ? Int64(min(value, Double(Self.longestLife))) : nil
        case .string(let text) where text.isEmpty: return nil
        case .string(let text): seconds = text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } && text.utf8.count <= 18 ? Int64(text) : nil
        default: seconds = nil
        }
        guard let seconds, seconds >= 0 else { throw .unusable("expires_in is not a number of seconds") }
        return min(seconds, Self.longestLife)
    }
}

extension TokenResponse.Refusal {
    /// As the user and the log get it, for the code exchange.
    package func signInError(provider: String) -> SignInError {
        switch self {
        case .error(let code):
            SignInError(.providerError, provider: provider, "the token endpoint answered with an error", providerCode: code)
        case .status(let status):
            SignInError(
                status >= 500 || status == 429 ? .providerUnavailable : .providerError, provider: provider,
                "the token endpoint answered with status \(status)")
        case .unusable(let what): SignInError(.invalidTokenResponse, provider: provider, "the token response is invalid: \(what)")
        }
    }
}
