package import Providers
import TokenCrypto

/// The browser's way to the provider's logout (OpenID Connect RP-Initiated Logout 1.0 section 2, or as the provider has it).
package enum EndSessionRequest {
    /// A longer ID token stays out of the URL: servers and proxies refuse long ones, often from 4 KiB on.
    private static let longestHint = 2_048
    /// What names the user to the provider, in this order: the claim that providers make for this, then names of the user.
    private static let hintClaims = ["login_hint", "preferred_username", "email", "sub"]

    /// A query of the endpoint stays, except names that are ours to set.
    package static func url(
        endpoint: String, idTokenHint: String?, clientID: String, postLogoutRedirectURI: String, state: String,
        logout: ProviderHabits.Logout = .standard(.idToken)
    ) -> String {
        var fields: [(name: String, value: String)] = []
        switch logout {
        case .standard(let hint):
            if let idTokenHint { fields += self.fields(hint, idTokenHint) }
            fields += [("client_id", clientID), ("post_logout_redirect_uri", postLogoutRedirectURI), ("state", state)]
        case .ownParameter(let name, _):
            // The address must be the registered one, byte for byte: no state in it, so `rd` is lost on the way.
            fields += [("client_id", clientID), (name, postLogoutRedirectURI)]
        }
        guard let mark = endpoint.firstIndex(of: "?") else { return endpoint + "?" + FormCoding.query(fields) }
        let kept = endpoint[endpoint.index(after: mark)...].split(separator: "&").filter { part in
            guard let name = FormCoding.fields(of: String(part))?.first?.name else { return false }
            return !fields.contains { $0.name == name } && name != "id_token_hint" && name != "logout_hint"
        }
        return endpoint[..<mark] + "?" + (kept.map(String.init) + [FormCoding.query(fields)]).joined(separator: "&")
    }

    /// `idToken` was verified at the sign-in; here it is only read.
    private static func fields(_ hint: ProviderHabits.Hint, _ idToken: String) -> [(name: String, value: String)] {
        switch hint {
        case .idToken: return whole(idToken)
        case .none: return []
        case .logoutHint(let claim): return named(by: [claim], idToken) ?? whole(idToken)
        }
    }

    private static func whole(_ idToken: String) -> [(name: String, value: String)] {
        idToken.utf8.count <= longestHint ? [("id_token_hint", idToken)] : named(by: hintClaims, idToken) ?? []
    }

    /// `logout_hint` with the first of these claims that the ID token has.
    private static func named(by claims: [String], _ idToken: String) -> [(name: String, value: String)]? {
        guard let payload = (try? UnverifiedJWS(compact: idToken))?.payload else { return nil }
        let value = claims.lazy.compactMap { payload[$0]?.string }.first { !$0.isEmpty && $0.utf8.count <= longestHint }
        return value.map { [("logout_hint", $0)] }
    }
}
