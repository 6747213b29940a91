import Providers
import Sessions
import SignIn
import TokenCrypto

/// The clock of these tests: 2026-01-01T00:00:00Z in Unix milliseconds.
let epoch: Int64 = 1_767_225_600_000

let ring = SealingKeyRing(keys: [[UInt8](repeating: 7, count: 32)], purpose: "login")
let cookies = LoginCookies(HostCookies(name: "session", secure: true))

func makeTransactions() -> LoginTransactions { LoginTransactions(ring: ring, cookies: cookies, store: emptyStore()) }

func emptyStore() -> SealedCookieStore {
    SealedCookieStore(
        seal: SessionSeal(keys: [[UInt8](repeating: 1, count: 32)], cookieName: "session", publicURL: ""),
        limits: SessionLimits(idle: 3_600_000, absolute: 86_400_000), memory: SharedSessions())
}

func oidcSettings(_ change: (inout ProviderSettings) -> Void = { _ in }) -> ProviderSettings {
    guard let preset = ProviderCatalogue.preset(for: "oidc.acme") else { fatalError("the generic preset exists") }
    var settings = ProviderSettings(
        id: "oidc.acme", preset: preset, site: .init(issuer: "https://id.example"), clientID: "acme-web",
        redirectBase: "https://app.example/_gateway")
    settings.clientSecret = .init(String(repeating: "s", count: 64))
    change(&settings)
    return settings
}

func oauth2Settings(_ id: String = "github.com", _ change: (inout ProviderSettings) -> Void = { _ in }) -> ProviderSettings {
    guard let preset = ProviderCatalogue.preset(for: id) else { fatalError("the preset exists") }
    var settings = ProviderSettings(id: id, preset: preset, site: .init(), clientID: "client", redirectBase: "https://app.example/_gateway")
    settings.clientSecret = .init("secret-secret")
    change(&settings)
    return settings
}

/// Name and value of a `Set-Cookie` line.
func cookie(of line: String) -> (name: String, value: String) {
    let pair = line.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(pair[0]), String(pair[1]))
}

func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }
