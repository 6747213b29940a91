import Primitives

package import Providers

/// The authorization request of one sign-in (RFC 6749 section 4.1.1, RFC 7636, OpenID Connect Core 1.0 section 3.1.2.1).
package struct AuthorizationRequest: Sendable {
    /// The accepted parameters, in the order of the request.
    package let accepted: [(name: String, value: String)]
    package let dropped: DroppedParameters
    /// The configured parameters with the accepted ones over them.
    package let parameters: [(name: String, value: String)]

    /// The most fields of a query that are read. The others are dropped and counted: no app needs more, and each costs time.
    package static let maximumFields = 100

    /// `requested`: the fields of `/login`'s query besides the gateway's own, duplicates included. `selectsAccount`: the provider lets the
    /// user choose an account, where it can. `isFresh`: the provider asks for the credentials again, where it can. `contextClasses`: those that a rule
    /// asks for; they replace others.
    package init(
        settings: ProviderSettings, requested: [(name: String, value: String)], selectsAccount: Bool = false, isFresh: Bool = false,
        contextClasses: [String] = []
    ) {
        let considered = requested.prefix(Self.maximumFields)
        let permitted = Set(settings.requestParameters.map { Array($0.utf8) })
        // Over the whole query: a name whose second value stands behind the hundredth field was sent twice all the same.
        let foldedNames = Set(settings.requestParameters.map { $0.lowercased() })
        var occurrences: [String: Int] = [:]
        for field in requested {
            let name = field.name.lowercased()
            if foldedNames.contains(name) { occurrences[name, default: 0] += 1 }
        }
        func refusal(of field: (name: String, value: String)) -> DroppedParameters.Reason? {
            if settings.reserved.contains(field.name) { return .reserved }
            guard permitted.contains(Array(field.name.utf8)) else { return .notAllowed }
            if occurrences[field.name.lowercased(), default: 0] > 1 { return .duplicate }
            guard field.value.utf8.count <= 1024, field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return .invalidValue }
            if sameBytes(field.name, MaxAge.parameter), MaxAge(field.value) == nil { return .invalidMaxAge }
            return nil
        }
        var accepted: [(name: String, value: String)] = []
        var dropped = DroppedParameters()
        for field in considered {
            if let reason = refusal(of: field) { dropped.add(field.name, reason) } else { accepted.append(field) }
        }
        for field in requested.dropFirst(Self.maximumFields) { dropped.add(field.name, .tooMany) }
        // The configuration never holds a reserved name; this is the last door, so it is closed here as well.
        var parameters = settings.parameters.filter { !settings.reserved.contains($0.name) }
        for field in accepted {
            if let index = parameters.firstIndex(where: { $0.name.lowercased() == field.name.lowercased() }) {
                parameters[index] = field
            } else {
                parameters.append(field)
            }
        }
        if selectsAccount, let prompt = settings.accountPrompt(beside: parameters.first { $0.name.lowercased() == "prompt" }?.value) {
            // A hint names the account that the user wants to leave.
            parameters.removeAll { ["prompt", "login_hint"].contains($0.name.lowercased()) }
            parameters.append(("prompt", prompt))
        }
        if isFresh {
            for (name, value) in settings.freshSignInParameters {
                parameters.removeAll { $0.name.lowercased() == name }
                parameters.append((name, value))
            }
        }
        if !contextClasses.isEmpty {
            parameters.removeAll { $0.name.lowercased() == Self.contextClassParameter }
            parameters.append((Self.contextClassParameter, contextClasses.joined(separator: " ")))
        }
        self.accepted = accepted
        self.dropped = dropped
        self.parameters = parameters
    }

    /// OpenID Connect Core 1.0 section 3.1.2.1.
    package static let contextClassParameter = "acr_values"

    /// `acr_values`, split.
    package var requestedACR: [String] {
        self.parameters.first { $0.name == Self.contextClassParameter }?.value.split(separator: " ").map(String.init) ?? []
    }

    /// `max_age`; nil without one, and for a configured one that is no number, about which the linter warns.
    package var maxAge: MaxAge? {
        self.parameters.first { $0.name == MaxAge.parameter }.flatMap { MaxAge(clamping: $0.value) }
    }

    /// Everything that is asked for, in order: for the address, or to be pushed.
    package func fields(settings: ProviderSettings, transaction: LoginTransaction) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = [
            ("response_type", "code"), ("client_id", settings.clientID), ("redirect_uri", transaction.redirectURI),
        ]
        let scopes = Self.scopes(of: settings)
        if !scopes.isEmpty { fields.append(("scope", scopes.joined(separator: settings.scopeSeparator))) }
        fields.append(("state", transaction.state))
        if let nonce = transaction.nonce { fields.append(("nonce", nonce)) }
        fields += [("code_challenge", transaction.challenge), ("code_challenge_method", "S256")]
        if settings.responseMode == .formPost { fields.append(("response_mode", "form_post")) }
        if let key = transaction.proofKey.flatMap(ProofKey.init(secret:)) { fields.append(("dpop_jkt", key.thumbprint)) }
        return fields + self.parameters
    }

    /// The URL to send the browser to. A query of the endpoint stays (RFC 6749 section 3.1), except names that are ours to set.
    package func url(endpoint: String, settings: ProviderSettings, transaction: LoginTransaction) -> String {
        Self.url(endpoint: endpoint, fields: self.fields(settings: settings, transaction: transaction), settings: settings)
    }

    /// The URL after the request was pushed: only the client ID and the reference (RFC 9126 section 4).
    package static func url(endpoint: String, pushed: PushedAuthorization, settings: ProviderSettings) -> String {
        self.url(
            endpoint: endpoint, fields: [("client_id", settings.clientID), ("request_uri", pushed.requestURI)], settings: settings)
    }

    private static func url(endpoint: String, fields: [(name: String, value: String)], settings: ProviderSettings) -> String {
        let names = Set(fields.map { $0.name.lowercased() })
        guard let mark = endpoint.firstIndex(of: "?") else { return endpoint + "?" + FormCoding.query(fields) }
        let kept = endpoint[endpoint.index(after: mark)...].split(separator: "&").filter { part in
            guard let name = FormCoding.fields(of: String(part))?.first?.name else { return false }
            return !names.contains(name.lowercased()) && !settings.reserved.contains(name)
        }
        return endpoint[..<mark] + "?" + (kept.map(String.init) + [FormCoding.query(fields)]).joined(separator: "&")
    }

    /// OpenID Connect always asks for `openid` (Core 1.0 section 3.1.2.1).
    private static func scopes(of settings: ProviderSettings) -> [String] {
        settings.kind == .oidc && !settings.scopes.contains("openid") ? ["openid"] + settings.scopes : settings.scopes
    }
}
