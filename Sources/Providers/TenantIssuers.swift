/// The issuers of a provider that has one for each tenant: `{authority}/{tenant id}/v2.0`.
///
/// Microsoft identity platform, "ID token claims reference": `iss` contains the user's tenant, as does `tid`;
/// the metadata of `common` and `organizations` names the issuer with a literal `{tenantid}`.
package struct TenantIssuers: Sendable, Equatable {
    /// The directory of personal accounts.
    package static let consumers = "9188040d-6c67-4c5b-b112-36a304b66dad"

    /// The authority, without trailing slash.
    package let authority: String
    /// The configured tenant: an id, a domain, `common`, `organizations` or `consumers`.
    package let tenant: String

    package init(authority: String, tenant: String) {
        self.authority = authority
        self.tenant = tenant
    }

    /// True if users of any directory are admitted.
    package var isForEveryone: Bool { ["common", "organizations", "consumers"].contains(self.tenant.lowercased()) }

    /// Returns whether the discovery document of the configured tenant may name this issuer.
    package func admitsMetadata(_ issuer: String) -> Bool {
        let template = self.issuer(of: "{tenantid}")
        switch self.tenant.lowercased() {
        case "common", "organizations": return Self.same(issuer, template)
        case "consumers": return Self.same(issuer, template) || Self.same(issuer, self.issuer(of: Self.consumers))
        case let tenant where Self.isID(tenant): return Self.same(issuer, self.issuer(of: tenant))
        default: return self.id(in: issuer) != nil
        }
    }

    /// Returns whether a token with this `iss` and `tid` is admitted. `metadataIssuer` is from the discovery document, the
    /// only source for the id of a tenant that is configured by its domain.
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

    /// Returns whether a logout message from this issuer is accepted: it must name an admitted tenant. `tenantID` is its `tid`, if any.
    package func admitsLogout(issuer: String, tenantID: String?, metadataIssuer: String?) -> Bool {
        guard let named = self.id(in: issuer), tenantID.map({ Self.same($0, named) }) ?? true else { return false }
        return self.admits(issuer: issuer, tenantID: named, metadataIssuer: metadataIssuer)
    }

    /// Returns whether this can be the issuer of an admitted token. For sessions, which store no `tid`.
    ///
    /// With `metadataIssuer` nil (not known yet), any tenant may match a configured domain.
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

    /// True if the text is a UUID in lower case, as in tokens.
    private static func isID(_ text: String) -> Bool {
        let lengths = text.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count)
        return lengths == [8, 4, 4, 4, 12]
            && text.utf8.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x66) || $0 == 0x2d }
    }

    private static func same(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }
}
