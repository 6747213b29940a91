import Pages

/// An authorization request that was checked (RFC 6749 section 4.1.1, OpenID Connect Core 3.1.2.1).
struct AuthorizationRequest: Sendable {
    enum ResponseMode: Sendable { case query, formPost }

    var side: Grant.Side
    var client: DevClient
    var redirectURI: String
    var responseMode: ResponseMode
    var state: String?
    var scopes: [String]
    var nonce: String?
    var challenge: String?
    /// `dpop_jkt` (RFC 9449 section 10).
    var thumbprint: String?
    var prompts: Set<String>
    /// Seconds.
    var maxAge: Int64?
    /// The class that the provider confirms of those in `acr_values`.
    var contextClass: String?
    var loginHint: String?
    var isOffline = false
    /// The query it came in, to be carried through the page's form.
    var query: String

    /// OpenID Connect Extended Authentication Profile ACR Values 1.0 section 2.
    static let contextClasses = ["phr", "phrh"]

    /// Why a request was not accepted.
    enum Refusal: Error {
        /// Nobody to send back to: a page says so.
        case page(String)
        /// Sent back to the client as `error`.
        case redirect(AuthorizationRequest, error: String, description: String)
    }
}

extension ProviderState {
    func checkedRequest(_ query: String, _ side: Grant.Side) throws(AuthorizationRequest.Refusal) -> AuthorizationRequest {
        let fields = FormFields(query)
        if let name = fields.repeatedName, name != "resource" { throw .page("The parameter \(name) was sent twice.") }
        guard let clientID = fields["client_id"], let client = client(clientID) else {
            throw .page("This client_id is not registered here.")
        }
        guard let redirectURI = fields["redirect_uri"] ?? (client.redirectURIs.count == 1 ? client.redirectURIs[0] : nil),
            client.admits(redirectURI, among: client.redirectURIs)
        else { throw .page("This redirect_uri is not registered for the client.") }

        let request = AuthorizationRequest(
            side: side, client: client, redirectURI: redirectURI, responseMode: fields["response_mode"] == "form_post" ? .formPost : .query,
            state: fields["state"], scopes: (fields["scope"] ?? "").split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init),
            nonce: fields["nonce"], challenge: fields["code_challenge"], thumbprint: fields["dpop_jkt"],
            prompts: Set((fields["prompt"] ?? "").split(separator: " ").map(String.init)), maxAge: fields["max_age"].flatMap { Int64($0) },
            contextClass: (fields["acr_values"] ?? "").split(separator: " ").map(String.init).first(
                where: AuthorizationRequest.contextClasses.contains),
            loginHint: fields["login_hint"] ?? fields["login"], isOffline: fields["access_type"] == "offline", query: query)

        func refuse(_ error: String, _ description: String) -> AuthorizationRequest.Refusal {
            .redirect(request, error: error, description: description)
        }
        if let type = fields["response_type"] {
            guard type == "code" else { throw refuse("unsupported_response_type", "Only the code flow is supported.") }
        } else if side == .openID {
            throw refuse("invalid_request", "response_type is missing.")
        }
        if request.challenge != nil, fields["code_challenge_method"] != "S256" {
            throw refuse("invalid_request", "Only S256 is supported (RFC 7636 section 4.2).")
        }
        if let challenge = request.challenge, challenge.utf8.count != 43 {
            throw refuse("invalid_request", "The code_challenge is not a SHA-256 hash.")
        }
        if let refusal = emulatedRefusal(request) { throw refuse(refusal.error, refusal.description) }
        guard side == .openID else { return request }
        if client.secret == nil, request.challenge == nil { throw refuse("invalid_request", "A public client must use PKCE.") }
        if fields["request"] != nil { throw refuse("request_not_supported", "Request objects are not supported.") }
        if fields["request_uri"] != nil { throw refuse("request_uri_not_supported", "Request objects are not supported.") }
        if !request.scopes.contains("openid") { throw refuse("invalid_scope", "The scope openid is missing.") }
        if request.prompts.contains("none"), request.prompts.count > 1 {
            throw refuse("invalid_request", "The prompt none cannot be combined with another.")
        }
        return request
    }
}
