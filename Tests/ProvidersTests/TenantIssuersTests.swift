import Providers
import Testing

@Suite("Microsoft: one issuer for each tenant") struct TenantIssuersTests {
    private static let base = "https://login.microsoftonline.com"
    private static let work = "72f988bf-86f1-41af-91ab-2d7cd011db47"
    private static let other = "00000000-1111-2222-3333-444444444444"
    private static let consumers = TenantIssuers.consumers

    @Test(
        "a token's iss must be that of its own tid, and the tenant one that is meant",
        arguments: [
            ("common", work, work, true), ("common", consumers, consumers, true), ("common", work, other, false),
            ("common", "common", "common", false), ("common", "{tenantid}", "{tenantid}", false),
            ("common", work.uppercased(), work.uppercased(), false),
            ("organizations", work, work, true), ("organizations", consumers, consumers, false),
            ("Organizations", consumers, consumers, false),
            ("consumers", consumers, consumers, true), ("consumers", work, work, false),
            (work, work, work, true), (work.uppercased(), work, work, true), (work, other, other, false), (work, work, other, false),
            ("contoso.com", work, work, true), ("contoso.com", other, other, false),
        ])
    func tokens(tenant: String, issuerTenant: String, tid: String, isAdmitted: Bool) {
        let tenants = TenantIssuers(authority: Self.base, tenant: tenant)
        let stated = "\(Self.base)/\(issuerTenant)/v2.0"
        #expect(tenants.admits(issuer: stated, tenantID: tid, metadataIssuer: "\(Self.base)/\(Self.work)/v2.0") == isAdmitted)
    }

    @Test(
        "a logout message may come from the issuer of a tenant that may come in, with or without tid",
        arguments: [
            ("common", work, nil, true), ("common", work, work, true), ("common", work, other, false), ("common", consumers, nil, true),
            ("common", "common", nil, false), ("common", "{tenantid}", nil, false), ("organizations", work, nil, true),
            ("organizations", consumers, nil, false), ("consumers", consumers, nil, true), ("consumers", work, nil, false),
            (work, work, nil, true), (work, other, nil, false), ("contoso.com", work, nil, true), ("contoso.com", other, nil, false),
        ])
    func logouts(tenant: String, issuerTenant: String, tid: String?, isAdmitted: Bool) {
        let tenants = TenantIssuers(authority: Self.base, tenant: tenant)
        let stated = "\(Self.base)/\(issuerTenant)/v2.0"
        let metadata = "\(Self.base)/\(Self.work)/v2.0"
        #expect(tenants.admitsLogout(issuer: stated, tenantID: tid, metadataIssuer: metadata) == isAdmitted)
    }

    @Test(arguments: ["", "/", "/v2.0/", "v1.0"])
    func `what only resembles the issuer is refused`(suffix: String) {
        let tenants = TenantIssuers(authority: Self.base, tenant: "common")
        #expect(!tenants.admits(issuer: "\(Self.base)/\(Self.work)\(suffix)", tenantID: Self.work, metadataIssuer: nil))
        #expect(!tenants.admits(issuer: "https://evil.example/\(Self.work)/v2.0", tenantID: Self.work, metadataIssuer: nil))
    }

    @Test func `a tenant configured by its domain is told by the metadata alone`() {
        let tenants = TenantIssuers(authority: Self.base, tenant: "contoso.com")
        #expect(!tenants.admits(issuer: "\(Self.base)/\(Self.work)/v2.0", tenantID: Self.work, metadataIssuer: nil))
    }

    @Test(
        "a discovery document may name the template for several tenants, and the one tenant's issuer for one",
        arguments: [
            ("common", "{tenantid}", true), ("common", work, false), ("organizations", "{tenantid}", true),
            ("consumers", "{tenantid}", true), ("consumers", consumers, true), ("consumers", work, false),
            (work, work, true), (work, "{tenantid}", false), (work, other, false), ("contoso.com", work, true),
            ("contoso.com", "{tenantid}", false), ("contoso.com", "contoso.com", false),
        ])
    func metadata(tenant: String, issuerTenant: String, isAdmitted: Bool) {
        let tenants = TenantIssuers(authority: Self.base, tenant: tenant)
        #expect(tenants.admitsMetadata("\(Self.base)/\(issuerTenant)/v2.0") == isAdmitted)
        #expect(!tenants.admitsMetadata("https://evil.example/\(issuerTenant)/v2.0"))
    }

    @Test(
        "a session's issuer counts while a tenant that is let in has it",
        arguments: [
            ("common", work, true), ("organizations", work, true), ("organizations", consumers, false), ("consumers", consumers, true),
            ("consumers", work, false), (work, work, true), (work, other, false), ("common", "{tenantid}", false),
            ("common", "common", false),
        ])
    func sessions(tenant: String, issuerTenant: String, counts: Bool) {
        let tenants = TenantIssuers(authority: Self.base, tenant: tenant)
        #expect(tenants.mayBe("\(Self.base)/\(issuerTenant)/v2.0", metadataIssuer: nil) == counts)
        #expect(!tenants.mayBe("https://evil.example/\(issuerTenant)/v2.0", metadataIssuer: nil))
    }

    @Test func `which tenant a domain stands for is known once the provider has been discovered`() {
        let tenants = TenantIssuers(authority: Self.base, tenant: "contoso.com")
        let (issuer, otherIssuer) = ("\(Self.base)/\(Self.work)/v2.0", "\(Self.base)/\(Self.other)/v2.0")
        #expect(tenants.mayBe(issuer, metadataIssuer: nil))
        #expect(tenants.mayBe(issuer, metadataIssuer: issuer))
        #expect(!tenants.mayBe(issuer, metadataIssuer: otherIssuer))
    }

    @Test(arguments: [("common", true), ("organizations", true), ("consumers", true), ("contoso.com", false), (work, false)])
    func `several tenants admit anyone, one admits its own`(tenant: String, isForEveryone: Bool) throws {
        let preset = try #require(ProviderCatalogue.preset(for: "microsoft.com"))
        let settings = ProviderSettings(
            id: "microsoft.com", preset: preset, site: .init(tenant: tenant), clientID: "c", redirectBase: "https://a.example/_gateway")
        #expect(settings.admitsAnyone == isForEveryone)
        #expect(settings.issuer == "\(Self.base)/\(tenant)/v2.0")
    }
}
