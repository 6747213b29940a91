import Primitives
import TokenCrypto

extension ProviderState {
    /// OpenID Connect Discovery 1.0 section 4, RFC 8414 section 3.
    func discovery(_ request: DevRequest) -> DevResponse {
        guard request.method == "GET" || request.method == "HEAD" else { return .methodNotAllowed("GET, HEAD") }
        var members: [String: JSONValue] = [
            "issuer": .string(options.issuer),
            "authorization_endpoint": .string("\(base)/authorize"),
            "token_endpoint": .string("\(base)/token"),
            "userinfo_endpoint": .string("\(base)/userinfo"),
            "jwks_uri": .string("\(base)/jwks"),
            "end_session_endpoint": .string("\(base)/end-session"),
            "revocation_endpoint": .string("\(base)/revoke"),
            "introspection_endpoint": .string("\(base)/introspect"),
            "response_types_supported": .strings(["code"]),
            "response_modes_supported": .strings(["query", "form_post"]),
            "grant_types_supported": .strings(["authorization_code", "refresh_token"]),
            "subject_types_supported": .strings(["public"]),
            "id_token_signing_alg_values_supported": .strings([options.algorithm.rawValue]),
            "token_endpoint_auth_methods_supported": .strings(["client_secret_basic", "client_secret_post", "none"]),
            "revocation_endpoint_auth_methods_supported": .strings(["client_secret_basic", "client_secret_post", "none"]),
            "code_challenge_methods_supported": .strings(["S256"]),
            "scopes_supported": .strings(["openid", "profile", "email", "groups", "offline_access"]),
            "claims_supported": .strings([
                "sub", "iss", "aud", "exp", "iat", "auth_time", "nonce", "at_hash", "sid", "name", "preferred_username", "email",
                "email_verified", "groups",
            ]),
            "acr_values_supported": .strings(AuthorizationRequest.contextClasses),
            "prompt_values_supported": .strings(["none", "login", "select_account"]),
            "authorization_response_iss_parameter_supported": .bool(true),
            "backchannel_logout_supported": .bool(true),
            "backchannel_logout_session_supported": .bool(true),
            "request_parameter_supported": .bool(false),
            "request_uri_parameter_supported": .bool(false),
        ]
        emulatedMetadata(&members)
        if options.pushedAuthorization != .off {
            members["pushed_authorization_request_endpoint"] = .string("\(base)/par")
            members["require_pushed_authorization_requests"] = .bool(options.pushedAuthorization == .required)
        }
        if options.dpop != .off { members["dpop_signing_alg_values_supported"] = .strings(["ES256", "EdDSA"]) }
        for fault in DiscoveryFault.allCases where has(.discovery(fault)) { apply(fault, &members) }
        return .json(.object(members))
    }

    private func apply(_ fault: DiscoveryFault, _ members: inout [String: JSONValue]) {
        switch fault {
        case .otherIssuer: members["issuer"] = .string("https://evil.example")
        case .issuerSlash:
            members["issuer"] = .string(options.issuer.hasSuffix("/") ? String(options.issuer.dropLast()) : options.issuer + "/")
        case .issuerMissing: members["issuer"] = nil
        case .tokenEndpointMissing: members["token_endpoint"] = nil
        case .jwksMissing: members["jwks_uri"] = nil
        case .plainPKCEOnly: members["code_challenge_methods_supported"] = .strings(["plain"])
        case .pkceUnadvertised: members["code_challenge_methods_supported"] = nil
        case .withoutUserinfo: members["userinfo_endpoint"] = nil
        case .withoutEndSession: members["end_session_endpoint"] = nil
        case .withoutRevocation: members["revocation_endpoint"] = nil
        case .issuerParameterUnadvertised: members["authorization_response_iss_parameter_supported"] = nil
        case .insecureEndpoints:
            members["token_endpoint"] = .string("http://evil.example/token")
            members["jwks_uri"] = .string("http://evil.example/jwks")
        case .weakAlgorithms: members["id_token_signing_alg_values_supported"] = .strings(["none", "HS256"])
        }
    }

    /// RFC 7517 section 5.
    mutating func keySet(_ request: DevRequest) -> DevResponse {
        guard request.method == "GET" || request.method == "HEAD" else { return .methodNotAllowed("GET, HEAD") }
        var entries = keyChain.published()
        for fault in KeySetFault.allCases where has(.keys(fault)) { apply(fault, &entries) }
        return .json(.object(["keys": .array(entries)]))
    }

    private func apply(_ fault: KeySetFault, _ entries: inout [JSONValue]) {
        switch fault {
        case .encryptionOnly: entries = entries.map { $0.setting("use", "enc") }
        case .encryptionKeysToo:
            entries.insert(rsaKey(bytes: 256, keyID: "enc-1").setting("use", "enc").setting("alg", "RSA-OAEP"), at: 0)
        case .oddKeysToo:
            entries =
                [
                    .texts(["kty": "PQC", "kid": "odd-1", "alg": "ML-DSA-65", "pub": "AAAA"]), .texts(["kid": "odd-2"]),
                    .string("a string"), .null,
                    .texts(["kty": "RSA", "kid": "odd-3", "n": "!!!", "e": "AQAB"]),
                    .texts(["kty": "EC", "kid": "odd-4", "crv": "P-256", "x": "AAAA", "y": "AAAA"]),
                    .object(["kty": .string("RSA"), "kid": .integer(5), "n": .array([]), "e": .null]),
                ] + entries
        case .withoutKeyIDs: entries = entries.map { $0.setting("kid", nil) }
        case .twentyKeys: entries = (1...19).map { rsaKey(bytes: 256, keyID: "other-\($0)") } + entries
        case .weakRSA: entries = entries.map { rsaKey(bytes: 128, keyID: $0["kid"]?.string ?? "") }
        case .emptySet: entries = []
        case .missingKey: entries = [rsaKey(bytes: 256, keyID: "other")]
        case .otherAlgorithm: entries = entries.map { $0.setting("alg", options.algorithm == .es256 ? "RS256" : "ES256") }
        case .symmetricKey:
            entries = entries.map { .texts(["kty": "oct", "kid": $0["kid"]?.string ?? "", "k": Base64URL.encode(options.random(32))]) }
        }
    }

    /// A public key of that size which nobody has the private half of.
    private func rsaKey(bytes: Int, keyID: String) -> JSONValue {
        var modulus = options.random(bytes)
        modulus[0] |= 0x80
        modulus[bytes - 1] |= 1
        return .texts(["kty": "RSA", "use": "sig", "alg": "RS256", "kid": keyID, "e": "AQAB", "n": Base64URL.encode(modulus)])
    }
}
