/// The issuers of a provider that has one for each tenant: `{authority}/{tenant id}/v2.0`.
///
/// Microsoft identity platform, "ID token claims reference": `iss` holds the tenant that the person is in, which `tid` repeats;
/// the metadata of `common` and `organizations` names the issuer with a literal `{tenantid}`.
package struct TenantIssuers: Sendable, Equatable {
    /// The directory of personal accounts.
    package static let consumers = "9188040d-6c67-4c5b-b112-36a304b66dad"

    /// No slash at its end.
    package let authority: String
    /// As configured: an id, a domain, `common`, `organizations` or `consumers`.
    package let tenant: String

    package init(authority: String, tenant: String) {
        self.authority = authority
        self.tenant = tenant
    }

    /// Whether anyone's directory is let in.
    package var isForEveryone: Bool { ["common", "organizations", "consumers"].contains(self.tenant.lowercased()) }

    /// Whether a discovery document of the configured tenant may name this issuer.
    package func admitsMetadata(_ issuer: String) -> Bool {
        let template = self.issuer(of: "{tenantid}")
        switch self.tenant.lowercased() {
        case "common", "organizations": return Self.same(issuer, template)
        case "consumers": return Self.same(issuer, template) || Self.same(issuer, self.issuer(of: Self.consumers))
        case let tenant where Self.isID(tenant): return Self.same(issuer, self.issuer(of: tenant))
        default: return self.id(in: issuer) != nil
        }
    }

    /// Whether a token with this `iss` and `tid` may come in. `metadataIssuer`: what the discovery document says, which alone
    /// tells the id of a tenant that is configured by its domain.
    package func admits(issuer: String, tenantID: String, metadataIssuer: String?) -> Bool {
        guard Self.isID(tenantID), Self.same(issuer, self.issuer(of: tenantID)) else { return false }
        switch self.tenant.lowercased() {
        case "common": return true
        case "organizations": return tenantID != Self.consumers
        case "consumers": return tenantID == Self.consumers
        case let tenant where Self.isID(tenant): return tenantID == tenant
        default: return metadataIssuer.map { Self.same($0, issuer) } ?? false
        }
    }

    /// Whether a logout message may come from this issuer: it names a tenant that may come in. `tenantID`: its `tid`, where it has one.
    package func admitsLogout(issuer: String, tenantID: String?, metadataIssuer: String?) -> Bool {
        guard let named = self.id(in: issuer), tenantID.map({ Self.same($0, named) }) ?? true else { return false }
        return self.admits(issuer: issuer, tenantID: named, metadataIssuer: metadataIssuer)
    }

    /// Whether this can be the issuer of a token that was let in: for a session, which keeps no `tid`.
    ///
    /// `metadataIssuer` nil: not known yet; any tenant may then be the one that a configured domain stands for.
    package func mayBe(_ issuer: String, metadataIssuer: String?) -> Bool {
        guard let tenantID = self.id(in: issuer) else { return false }
        return self.admits(issuer: issuer, tenantID: tenantID, metadataIssuer: metadataIssuer ?? issuer)
    }

    private func issuer(of tenant: String) -> String { "\(self.authority)/\(tenant)/v2.0" }

    private func id(in issuer: String) -> String? {
        let parts = issuer.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 3, let id = parts.dropLast().last.map(String.init), Self.isID(id), Self.same(issuer, self.issuer(of: id))
        else {
            return nil
        }
        return id
    }

    /// A UUID in lower case, as tokens write it.
    private static func isID(_ text: String) -> Bool {
        let lengths = text.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count)
        return lengths == [8, 4, 4, 4, 12]
            && text.utf8.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x66) || $0 == 0x2d }
    }

    private static func same(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }
}
