import Primitives
package import Providers
package import TokenCrypto

/// The members of a provider's discovery document (OpenID Connect Discovery 1.0 section 3) that sign-ins need.
package struct ProviderMetadata: Sendable, Equatable {
    package struct Refusal: Error, Sendable, Hashable, CustomStringConvertible {
        /// Names the member; never quotes more than the two issuers.
        package let reason: String
        package var description: String { self.reason }
    }

    package let issuer: String
    package let authorization: String
    package let token: String
    package let jwks: String
    package let userinfo: String?
    package let endSession: String?
    package let revocation: String?
    /// nil: not listed.
    package let idTokenAlgorithms: [String]?
    package let tokenAuthentication: [String]?
    package let tokenAuthenticationAlgorithms: [String]?
    /// RFC 9207 section 3.
    package let promisesResponseIssuer: Bool
    /// RFC 9126 section 5.
    package let requiresPushedRequests: Bool
    package let pushedAuthorization: String?
    package let introspection: String?
    /// RFC 9449 section 5.1; nil: DPoP is not advertised.
    package let dpopAlgorithms: [String]?
    /// The provider offers logout messages that name a session by its `sid`.
    package let namesSessionsInLogouts: Bool

    /// Refuses: not an object, an issuer that is not `issuer` byte for byte (section 4.3) nor one that `admits` says, endpoints on plain http beyond loopback,
    /// members of a wrong type. Members we do not use may be anything.
    package init(
        _ json: JSONValue, issuer: String, overrides: ProviderPreset.Endpoints = .init(), admits: (String) -> Bool = { _ in false }
    ) throws(Refusal) {
        guard json.object != nil else { throw Refusal(reason: "the discovery document is not a JSON object") }
        guard let stated = json["issuer"]?.string else { throw Refusal(reason: "the discovery document names no issuer") }
        guard sameBytes(stated, issuer) || admits(stated) else {
            throw Refusal(
                reason:
                    "the discovery document's issuer is \(Self.quoted(stated)), the configuration's is \(Self.quoted(issuer)): they must be equal byte for byte"
            )
        }
        func endpoint(_ name: String, _ override: String?) throws(Refusal) -> String? {
            if let override { return override }
            guard let member = json[name], member != .null else { return nil }
            guard let text = member.string else { throw Refusal(reason: "\(name) is not a string") }
            guard let url = AbsoluteURL(text) else { throw Refusal(reason: "\(name) is not an http or https URL") }
            guard url.isTrustworthyTransport else { throw Refusal(reason: "\(name) is on plain http") }
            return text
        }
        func mandatory(_ name: String, _ override: String?) throws(Refusal) -> String {
            guard let text = try endpoint(name, override) else { throw Refusal(reason: "the discovery document has no \(name)") }
            return text
        }
        func list(_ name: String) throws(Refusal) -> [String]? {
            guard let member = json[name], member != .null else { return nil }
            guard let items = member.array else { throw Refusal(reason: "\(name) is not a list") }
            return items.compactMap(\.string)
        }
        func flag(_ name: String) throws(Refusal) -> Bool {
            guard let member = json[name], member != .null else { return false }
            guard let value = member.bool else { throw Refusal(reason: "\(name) is not a boolean") }
            return value
        }
        self.issuer = stated
        self.authorization = try mandatory("authorization_endpoint", overrides.authorization)
        self.token = try mandatory("token_endpoint", overrides.token)
        self.jwks = try mandatory("jwks_uri", overrides.jwks)
        self.userinfo = try endpoint("userinfo_endpoint", overrides.userinfo)
        self.endSession = try endpoint("end_session_endpoint", overrides.endSession)
        self.revocation = try endpoint("revocation_endpoint", overrides.revocation)
        self.idTokenAlgorithms = try list("id_token_signing_alg_values_supported")
        self.tokenAuthentication = try list("token_endpoint_auth_methods_supported")
        self.tokenAuthenticationAlgorithms = try list("token_endpoint_auth_signing_alg_values_supported")
        self.promisesResponseIssuer = try flag("authorization_response_iss_parameter_supported")
        self.requiresPushedRequests = try flag("require_pushed_authorization_requests")
        self.pushedAuthorization = try endpoint("pushed_authorization_request_endpoint", overrides.pushedAuthorization)
        self.introspection = try endpoint("introspection_endpoint", overrides.introspection)
        self.dpopAlgorithms = try list("dpop_signing_alg_values_supported")
        self.namesSessionsInLogouts = ["frontchannel_logout_supported", "backchannel_logout_session_supported"].contains {
            json[$0]?.bool == true
        }
    }

    /// Printable ASCII only, at most 200 characters, in quotes.
    private static func quoted(_ text: String) -> String {
        "\"" + String(decoding: text.utf8.prefix(200).map { $0 >= 0x20 && $0 < 0x7f && $0 != 0x22 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
            + "\""
    }
}
