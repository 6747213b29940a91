/// Names of authorization-request parameters that neither the configuration nor a browser may set.
///
/// Names are compared without case and after percent-decoding, as the provider reads them.
package struct ReservedParameters: Sendable, Equatable {
    /// The names that the gateway sets itself, or that would change the flow (contract section 2, "Reserved parameters").
    package static let builtIn: [String] = [
        "client_id", "redirect_uri", "response_type", "scope", "state", "response_mode", "nonce", "code_challenge",
        "code_challenge_method", "request", "request_uri", "client_secret", "client_assertion", "client_assertion_type", "code",
        "code_verifier", "grant_type", "id_token_hint", "registration",
    ]

    private var names: Set<String>

    /// Creates the built-in set and the names that the configuration adds, globally or for one provider.
    package init(adding extra: [String] = []) {
        self.names = Set((Self.builtIn + extra).map { $0.lowercased() })
    }

    package func contains(_ name: String) -> Bool { self.names.contains(name.lowercased()) }
}
