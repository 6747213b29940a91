import Primitives

package import Accounts
package import Providers
package import TokenCrypto

/// The identity of a user whose claims SignIn has verified. Made only by `IdentityMapper`.
package struct VerifiedIdentity: Sendable, IdentityProof {
    package let identity: ProviderIdentity

    fileprivate init(_ identity: ProviderIdentity) { self.identity = identity }

    /// The same user with this display name if the claims have none. No rule reads the name, so it needs no proof.
    func named(_ name: String?) -> VerifiedIdentity {
        guard self.identity.name == nil else { return self }
        var named = self.identity
        named.name = name
        return VerifiedIdentity(named)
    }
}

/// Makes the identity of a user from verified claims, as the provider's claim mapping says.
package struct IdentityMapper: Sendable {
    package enum Refusal: Error, Sendable, Equatable {
        /// The subject claim is missing, empty, over 255 bytes, or not a text or whole number.
        case subject(path: String)
        /// The ID token lacks the value that a configured parameter promises.
        case requiredClaim(String)

        package func signInError(provider: String) -> SignInError {
            switch self {
            case .requiredClaim(let claim):
                SignInError(.accessDenied, provider: provider, "the ID token's \(claim) differs from the value in customParameters")
            case .subject(let path):
                SignInError(.invalidUserinfo, provider: provider, "the subject claim \(path) is missing or invalid")
            }
        }
    }

    /// One address of a list, as the provider gives it.
    package struct ListedEmail: Sendable, Equatable {
        package var address: String
        package var isPrimary: Bool
        package var isVerified: Bool
        package init(address: String, isPrimary: Bool, isVerified: Bool) {
            self.address = address
            self.isPrimary = isPrimary
            self.isVerified = isVerified
        }
    }

    /// The user's data beyond ID token and userinfo.
    package struct Extras: Sendable, Equatable {
        /// The claims of a JWT access token, as far as the provider's habits use them.
        package var accessTokenClaims: JSONValue?
        /// Groups that an API listed.
        package var groups: [String]
        package init(accessTokenClaims: JSONValue? = nil, groups: [String] = []) {
            self.accessTokenClaims = accessTokenClaims
            self.groups = groups
        }
    }

    /// What only an ID token says about the sign-in: its level and its factors.
    static let claimsOfSignIn = ["acr", "amr"]

    private let settings: ProviderSettings

    package init(settings: ProviderSettings) { self.settings = settings }

    /// OpenID Connect. Userinfo's claims come over the ID token's, but for those that are about the token itself.
    package func identity(
        _ token: VerifiedIDToken, userinfo: UserinfoResponse?, extras: Extras = Extras()
    ) throws(Refusal) -> VerifiedIdentity {
        try self.checkRequiredClaims(token.claims)
        return VerifiedIdentity(
            try self.identity(
                issuer: token.issuer, base: self.completed(token.claims, with: extras.accessTokenClaims), over: userinfo?.claims,
                groups: extras.groups))
    }

    /// A token that came with a request.
    package func identity(_ bearer: VerifiedBearer) throws(Refusal) -> VerifiedIdentity {
        try self.checkRequiredClaims(bearer.token.claims)
        return VerifiedIdentity(try self.identity(issuer: bearer.token.issuer, base: bearer.token.claims, over: nil, groups: []))
    }

    private func checkRequiredClaims(_ claims: JSONValue) throws(Refusal) {
        for required in self.settings.requiredClaims {
            let stated = claims[required.claim]?.string ?? ""
            guard required.value == "*" ? !stated.isEmpty : sameBytes(stated.lowercased(), required.value.lowercased()) else {
                throw .requiredClaim(required.claim)
            }
        }
    }

    /// A refresh without an ID token: userinfo's claims over those the session has. `over` is about the same `sub`.
    package func identity(renewing identity: ProviderIdentity, with userinfo: UserinfoResponse) throws(Refusal) -> VerifiedIdentity {
        VerifiedIdentity(try self.identity(issuer: identity.issuer, base: identity.claims, over: userinfo.claims, groups: []))
    }

    /// Plain OAuth 2.0. `emails`: the answer of the address endpoint, nil when there is none.
    package func identity(
        api: UserinfoResponse, emails: [ListedEmail]?, extras: Extras = Extras()
    ) throws(Refusal) -> VerifiedIdentity {
        var identity = try self.identity(issuer: self.settings.identityIssuer, base: api.claims, over: nil, groups: extras.groups)
        if let emails {
            // The public profile may show any address: only the list says whose it is.
            let chosen = emails.first(where: \.isPrimary)
            identity.email = chosen.flatMap { Self.address($0.address) }
            identity.emailVerified = identity.email == nil ? nil : chosen?.isVerified == true || self.settings.trustEmail
        }
        // An API's object says nothing about how the user signed in, and users may edit it.
        identity.claims = Self.withoutLinks(identity.claims)
        for claim in Self.claimsOfSignIn { identity.claims = identity.claims.with(claim, nil) }
        return VerifiedIdentity(identity)
    }

    /// The identity of unverified claims from a file, to test rules with. It proves nothing.
    package func identity(supposing claims: JSONValue) throws(Refusal) -> ProviderIdentity {
        var identity = try self.identity(issuer: claims["iss"]?.string ?? self.settings.identityIssuer, base: claims, over: nil, groups: [])
        if identity.email != nil, identity.emailVerified == nil { identity.emailVerified = claims["email_verified"]?.bool }
        return identity
    }

    /// The address list of an endpoint; items that are not read are left out.
    package func listedEmails(_ json: JSONValue, endpoint: ProviderPreset.EmailEndpoint) -> [ListedEmail] {
        let list = endpoint.list.map { json.value(at: $0) } ?? json
        return (list?.array ?? []).prefix(100).compactMap { item in
            item.value(at: endpoint.address)?.string.map {
                ListedEmail(
                    address: $0, isPrimary: item.value(at: endpoint.primary)?.bool ?? false,
                    isVerified: item.value(at: endpoint.verified)?.bool ?? false)
            }
        }
    }

    /// Members of an access token that the habits name, where the ID token has none of that name.
    private func completed(_ claims: JSONValue, with accessToken: JSONValue?) -> JSONValue {
        guard let accessToken, var members = claims.object else { return claims }
        for name in self.settings.habits.accessTokenClaims where members[name] == nil { members[name] = accessToken[name] }
        return .object(members)
    }

    private func identity(issuer: String, base: JSONValue, over: JSONValue?, groups more: [String]) throws(Refusal) -> ProviderIdentity {
        let mapping = self.settings.claims
        let claims = self.merged(base, over)
        // The subject comes from the signed token if there is one: userinfo cannot change the user.
        guard var subject = Self.subject((base.value(at: mapping.subject) ?? claims.value(at: mapping.subject))) else {
            throw .subject(path: mapping.subject)
        }
        if let path = self.settings.habits.subjectQualifier {
            guard let qualifier = Self.subject(base.value(at: path)), let qualified = Self.subject(.string("\(qualifier):\(subject)"))
            else {
                throw .subject(path: path)
            }
            subject = qualified
        }
        func text(_ path: String?) -> String? { path.flatMap { claims.value(at: $0)?.string }.flatMap { $0.isEmpty ? nil : $0 } }
        let email = text(mapping.email).flatMap(Self.address)
        return ProviderIdentity(
            provider: self.settings.id, issuer: issuer, subject: subject, email: email,
            emailVerified: email == nil ? nil : self.verified(in: claims), username: text(mapping.username), name: text(mapping.name),
            picture: text(mapping.picture), locale: text(mapping.locale),
            groups: self.settings.groupRules.applied(to: self.groups(in: claims) + more),
            claims: Self.kept(claims))
    }

    /// Address and verification come from one source: a verification never vouches for another source's address.
    private func merged(_ base: JSONValue, _ over: JSONValue?) -> JSONValue {
        guard var members = base.object, let added = over?.object else { return base }
        let mapping = self.settings.claims
        if let emailPath = mapping.email, let verifiedPath = mapping.emailVerified, let over, let address = over.value(at: emailPath),
            address != base.value(at: emailPath), over.value(at: verifiedPath) == nil
        {
            members[Self.firstMember(of: verifiedPath, in: members)] = nil
        }
        let withheld = mapping.emailVerified.flatMap { path in
            mapping.email.flatMap { over?.value(at: $0) } == nil ? Self.firstMember(of: path, in: added) : nil
        }
        for (name, value) in added where !Self.aboutTheToken.contains(name) && name != withheld { members[name] = value }
        return .object(members)
    }

    private func groups(in claims: JSONValue) -> [String] {
        let mapped = self.settings.claims.groups.map { Self.groups(claims.value(at: $0)) } ?? []
        return self.settings.habits.groupClaims.reduce(mapped) { groups, claim in
            groups + Self.groups(claims.value(at: claim.path)).map { claim.prefix + $0 }
        }
    }

    private static func firstMember(of path: String, in members: [String: JSONValue]) -> String {
        members[path] != nil ? path : String(path.prefix { $0 != "." })
    }

    private func verified(in claims: JSONValue) -> Bool? {
        if self.settings.trustEmail { return true }
        guard case .claim = self.settings.email else { return nil }
        let stated = self.settings.claims.emailVerified.flatMap { self.flag(claims.value(at: $0)) }
        guard let path = self.settings.habits.emailAlsoVerifiedBy, stated == true else { return stated }
        return self.flag(claims.value(at: path))
    }

    /// Three states: true, false, and nil for what does not say.
    private func flag(_ value: JSONValue?) -> Bool? {
        guard let value else { return nil }
        if let flag = value.bool { return flag }
        guard self.settings.readsLooseBooleans else { return nil }
        switch value {
        case .string("true"), .string("1"), .integer(1): return true
        case .string("false"), .string("0"), .integer(0): return false
        default: return nil
        }
    }

    private static func subject(_ value: JSONValue?) -> String? {
        let text = value?.string ?? value?.integer.map { String($0) }
        guard let text, (1...255).contains(text.utf8.count), text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return nil }
        return text
    }

    /// nil for what is no address: no or several `@`, an empty side, spaces, commas or control characters, over 320 bytes.
    private static func address(_ text: String) -> String? {
        let sides = text.split(separator: "@", omittingEmptySubsequences: false)
        guard sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty, text.utf8.count <= 320,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: ",") })
        else { return nil }
        return text
    }

    /// A list of names, one name, or an object keyed by name.
    private static func groups(_ value: JSONValue?) -> [String] {
        var seen = Set<String>()
        let names: [String] =
            switch value {
            case .array(let items): items.compactMap(\.string)
            case .string(let one): [one]
            case .object(let members): members.keys.sorted()
            default: []
            }
        return names.filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    /// Claims that say something about the token, not about the user; userinfo never sets them.
    private static let aboutTheToken: Set<String> = [
        "iss", "sub", "aud", "azp", "exp", "iat", "nbf", "nonce", "at_hash", "c_hash", "s_hash", "jti", "sid", "auth_time", "acr", "amr",
        "typ", "events",
    ]

    /// The claims that a session keeps: neither nulls nor claims that only verification needs. Aggregated and distributed claims
    /// (OpenID Connect Core 1.0 section 5.6.2) are not followed: the configuration does not trust their signers.
    private static func kept(_ claims: JSONValue) -> JSONValue {
        let spent: Set<String> = [
            "iss", "aud", "azp", "exp", "iat", "nbf", "nonce", "at_hash", "c_hash", "s_hash", "jti", "sid", "typ",
            "_claim_names", "_claim_sources",
        ]
        return .object((claims.object ?? [:]).filter { !spent.contains($0.key) && $0.value != .null })
    }

    /// An API's object without its links to other resources, which would fill a session cookie.
    private static func withoutLinks(_ claims: JSONValue) -> JSONValue {
        .object((claims.object ?? [:]).filter { $0.value.string.map { !$0.hasPrefix("https://") && !$0.hasPrefix("http://") } ?? true })
    }
}
