import Diagnostics
import YAML

/// Recognises the configuration of another product, which is answered with one finding instead of one for each key.
struct ForeignConfiguration {
    enum Product: String { case oauth2Proxy = "oauth2-proxy", authelia = "Authelia" }

    private let product: Product
    /// The first option that gives the product away.
    private let option: SourceSpan
    /// The value of the option on its line, which may hold a secret.
    let rest: SourceSpan

    /// - Parameter root: the file as YAML; nil when it is none.
    init?(_ source: SourceFile, _ root: Node?) {
        let found = if let mapping = root?.mapping { Self.inMapping(mapping) } else { Self.inAssignments(source) }
        guard let (product, option) = found else { return nil }
        self.product = product
        self.option = option
        let line = source.bytes[option.end...].prefix { $0 != 0x0A && $0 != 0x0D }
        let separator = line.firstIndex { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") }
        rest = SourceSpan(start: separator.map { $0 + 1 } ?? option.end, end: line.endIndex)
    }

    var diagnostic: Diagnostic {
        Diagnostic(
            .foreignConfiguration, at: option, "this file configures \(product.rawValue), not the gateway",
            label: "an option of \(product.rawValue)",
            help: "write a new file with `gateway init`; the page of this rule says where the values go")
    }

    /// YAML: the alpha configuration of oauth2-proxy, or Authelia's.
    private static func inMapping(_ mapping: Node.Mapping) -> (Product, SourceSpan)? {
        if mapping.entries.contains(where: { $0.name == "version" }) { return nil }
        func first(of names: Set<String>) -> SourceSpan? { mapping.entries.first { names.contains($0.name) }?.key.span }
        if let key = first(of: alphaKeys) { return (.oauth2Proxy, key) }
        guard mapping.entries.count(where: { autheliaKeys.contains($0.name) || commonAutheliaKeys.contains($0.name) }) >= 2 else {
            return nil
        }
        return first(of: autheliaKeys).map { (.authelia, $0) }
    }

    /// TOML or an environment file: lines such as `client_id = "x"` and `OAUTH2_PROXY_CLIENT_ID=x`.
    private static func inAssignments(_ source: SourceFile) -> (Product, SourceSpan)? {
        var first: SourceSpan?
        var known = 0
        for line in 1...min(max(source.lineCount, 1), mostLines) {
            let offsets = source.contentOffsets(ofLine: line)
            let content = source.bytes[offsets].drop { $0 == 0x20 || $0 == 0x09 }
            let name = content.prefix { $0 == UInt8(ascii: "_") || isLetterOrDigit($0) }
            guard !name.isEmpty, name.count <= 64 else { continue }
            guard content[name.endIndex...].first(where: { $0 != 0x20 && $0 != 0x09 }) == UInt8(ascii: "=") else { continue }
            let option = String(decoding: name, as: UTF8.self)
            let isUnmistakable = option.hasPrefix("OAUTH2_PROXY_")
            guard isUnmistakable || legacyOptions.contains(option) else { continue }
            known += isUnmistakable ? 2 : 1
            first = first ?? SourceSpan(start: name.startIndex, end: name.endIndex)
        }
        // A single name such as `scope` may be chance.
        guard let first, known >= 2 else { return nil }
        return (.oauth2Proxy, first)
    }

    private static let mostLines = 1_000

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }

    private static let alphaKeys: Set<String> = ["upstreamConfig", "injectRequestHeaders", "injectResponseHeaders"]

    private static let legacyOptions: Set<String> = [
        "http_address", "https_address", "reverse_proxy", "upstreams", "provider", "provider_display_name", "client_id", "client_secret",
        "client_secret_file", "cookie_secret", "cookie_secret_file", "cookie_name", "cookie_domains", "cookie_secure", "cookie_expire",
        "cookie_refresh", "cookie_samesite", "email_domains", "authenticated_emails_file", "redirect_url", "oidc_issuer_url", "scope",
        "skip_auth_routes", "skip_auth_regex", "skip_provider_button", "pass_access_token", "pass_authorization_header",
        "pass_user_headers", "pass_host_header", "pass_basic_auth", "set_xauthrequest", "set_authorization_header", "whitelist_domains",
        "allowed_groups", "login_url", "redeem_url", "validate_url", "session_store_type", "redis_connection_url", "github_org",
        "github_team", "google_group", "azure_tenant", "trusted_ips", "silence_ping_logging", "code_challenge_method",
        "insecure_oidc_allow_unverified_email", "ssl_insecure_skip_verify", "htpasswd_file", "proxy_prefix", "tls_cert_file",
        "tls_key_file",
    ]

    private static let autheliaKeys: Set<String> = [
        "authentication_backend", "access_control", "identity_providers", "identity_validation", "notifier", "default_2fa_method",
        "duo_api", "jwt_secret", "default_redirection_url",
    ]

    /// Names that other products use too.
    private static let commonAutheliaKeys: Set<String> = [
        "theme", "storage", "regulation", "totp", "webauthn", "ntp", "password_policy", "privacy_policy", "certificates_directory",
    ]
}
