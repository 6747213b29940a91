import Providers
import Testing

@Suite struct ProviderIDTests {
    @Test(arguments: [
        ("github.com", "github.com", nil, "github.com"), ("github.com/partners", "github.com", "partners", "github.com~partners"),
        ("oidc.acme", "oidc", "acme", "oidc.acme"), ("oauth2.legacy-1", "oauth2", "legacy-1", "oauth2.legacy-1"),
        ("apple.com", "apple.com", nil, "apple.com"), ("keycloak/0", "keycloak", "0", "keycloak~0"),
    ])
    func `an id is a preset with or without a slug`(text: String, preset: String, slug: String?, urlForm: String) throws {
        let id = try ProviderID(parsing: text)
        #expect(id.preset == preset)
        #expect(id.slug == slug)
        #expect(id.text == text)
        #expect(id.urlForm == urlForm)
        #expect(ProviderID.id(fromURLForm: urlForm) == text)
    }

    @Test(arguments: [
        ("", ProviderID.Problem.empty), ("oidc.", .invalidSlug("")), ("oidc.Acme", .invalidSlug("Acme")), ("oidc.-a", .invalidSlug("-a")),
        ("oidc.a_b", .invalidSlug("a_b")), ("oidc.a.b", .invalidSlug("a.b")), ("github.com/", .invalidSlug("")),
        ("github.com/a/b", .invalidSlug("a/b")), ("github.com/ä", .invalidSlug("ä")),
        ("oidc." + String(repeating: "a", count: 64), .invalidSlug(String(repeating: "a", count: 64))),
        ("GitHub.com", .unknownPreset("GitHub.com", suggestion: "github.com")),
        ("github.con", .unknownPreset("github.con", suggestion: "github.com")),
        ("google", .unknownPreset("google", suggestion: "google.com")), ("oidc", .unknownPreset("oidc", suggestion: nil)),
        ("example.org", .unknownPreset("example.org", suggestion: nil)),
    ])
    func `anything else is refused with the reason`(text: String, problem: ProviderID.Problem) {
        #expect(throws: problem) { try ProviderID(parsing: text) }
    }

    @Test func `a slug has at most 63 characters`() throws {
        #expect(try ProviderID(parsing: "oidc." + String(repeating: "a", count: 63)).slug?.count == 63)
    }
}
