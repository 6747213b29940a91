/// Where a provider leaves the standards, as data: what the one engine does differently for it. The default is a provider
/// without peculiarities.
package struct ProviderHabits: Sendable {
    /// How the browser is sent to sign out.
    package enum Logout: Sendable, Equatable {
        /// OpenID Connect RP-Initiated Logout 1.0.
        case standard(Hint)
        /// `client_id` and the return address in a parameter of this name, nothing else. The endpoint, where discovery has none,
        /// lies at `path` beside the authorization endpoint.
        case ownParameter(String, path: String)
    }

    /// What tells the provider whose session is to end, besides `client_id`.
    package enum Hint: Sendable, Equatable {
        /// `id_token_hint`: every provider that follows the standard takes it.
        case idToken
        /// `logout_hint` with the value of this claim of the ID token, which keeps the token out of the URL; `id_token_hint` where the
        /// claim is missing.
        case logoutHint(claim: String)
        case none
    }

    /// A claim that holds groups, besides the mapped one; `prefix` tells its names apart from other groups.
    package struct GroupClaim: Sendable, Equatable {
        /// `{client}` stands for the client ID, in both.
        package var path: String
        package var prefix: String
    }

    /// Groups that an API lists instead of a claim.
    package struct GroupEndpoint: Sendable, Equatable {
        package enum Trigger: Sendable, Equatable {
            /// Asked when one of these scopes is configured.
            case scopes([String])
            /// Asked when the ID token says that the groups did not fit (`hasgroups`, `_claim_names`).
            case overage
        }
        package var trigger: Trigger
        /// `{userinfo}` is the userinfo endpoint, `{userinfoOrigin}` its origin.
        package var url: String
        /// The member that holds the list; nil when the answer is the list.
        package var list: String?
        /// Paths in an item; their texts joined with `:` are the name.
        package var parts: [String]
        /// Items count only where this path has this text.
        package var only: Item?
        /// The member with the address of the next page; nil: the `Link` header field (RFC 8288).
        package var nextPage: String?
        package var headers: [Header] = []

        package struct Item: Sendable, Equatable {
            package var path, text: String
        }
        package struct Header: Sendable, Equatable {
            package var name, value: String
        }
    }

    /// Every tenant is an issuer of its own: `{base}/{tid}/v2.0` with the token's `tid`.
    package var hasTenantIssuers = false
    /// The client secret is a JWT that `privateKey` signs, made for each request.
    package var signsClientSecret = false
    /// Client assertions are addressed to the token endpoint instead of the issuer.
    package var addressesAssertionsToTokenEndpoint = false
    /// The header member of client assertions that holds `keyID` as well, for providers that know a key by its certificate.
    package var assertionKeyHeader: String?
    /// The algorithms `privateKey` may be for; nil: any.
    package var keyAlgorithms: [String]?
    /// The callback's form may have a `user` field with the person's name, at the first sign-in only.
    package var sendsUserField = false
    /// A claim that the subject is unique within: the subject becomes `{this}:{subject}`.
    package var subjectQualifier: String?
    /// A claim that must be true as well for an address to be verified.
    package var emailAlsoVerifiedBy: String?
    package var groupClaims: [GroupClaim] = []
    package var groupEndpoints: [GroupEndpoint] = []
    /// Members of a JWT access token, signed with the provider's keys, that count as claims where the ID token lacks them.
    package var accessTokenClaims: [String] = []
    package var logout = Logout.standard(.idToken)
    /// API calls carry `appsecret_proof`, the access token's HMAC with the client secret.
    package var provesAppSecret = false
    /// `debug_token` beside the userinfo endpoint must say that the access token was issued to this client.
    package var asksWhoseTokenItIs = false

    package init() {}
}
