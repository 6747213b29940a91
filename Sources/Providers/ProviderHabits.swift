/// A provider's deviations from the standards, as data for the shared sign-in code.
/// The default has none.
package struct ProviderHabits: Sendable {
    /// The way in which the browser signs out at the provider.
    package enum Logout: Sendable, Equatable {
        /// OpenID Connect RP-Initiated Logout 1.0.
        case standard(Hint)
        /// `client_id`, and the return address in a parameter of this name. Without discovery, the endpoint is at `path` next to
        /// the authorization endpoint.
        case ownParameter(String, path: String)
    }

    /// The parameter that identifies the provider session to end, besides `client_id`.
    package enum Hint: Sendable, Equatable {
        /// `id_token_hint`, which every provider that follows the standard accepts.
        case idToken
        /// `logout_hint` with the value of this claim of the ID token, which keeps the token out of the URL. Falls back to
        /// `id_token_hint` without the claim.
        case logoutHint(claim: String)
        case none
    }

    /// A claim that contains groups, besides the mapped one; `prefix` distinguishes its names from other groups.
    package struct GroupClaim: Sendable, Equatable {
        /// `{client}` stands for the client ID, in both properties.
        package var path: String
        package var prefix: String
    }

    /// An API that lists groups.
    package struct GroupEndpoint: Sendable, Equatable {
        package enum Trigger: Sendable, Equatable {
            /// Called if one of these scopes is configured.
            case scopes([String])
            /// Called if the ID token says that the groups did not fit (`hasgroups`, `_claim_names`).
            case overage
        }
        package var trigger: Trigger
        /// `{userinfo}` is the userinfo endpoint, `{userinfoOrigin}` its origin.
        package var url: String
        /// The member that contains the list; nil if the response is the list.
        package var list: String?
        /// Paths in an item; the name consists of their texts, joined with `:`.
        package var parts: [String]
        /// Only items with this text at this path count.
        package var only: Item?
        /// The member with the address of the next page; nil for the `Link` header (RFC 8288).
        package var nextPage: String?
        package var headers: [Header] = []

        package struct Item: Sendable, Equatable {
            package var path, text: String
        }
        package struct Header: Sendable, Equatable {
            package var name, value: String
        }
    }

    /// True if every tenant is an issuer of its own: `{base}/{tid}/v2.0` with the token's `tid`.
    package var hasTenantIssuers = false
    /// True if the client secret is a JWT signed with `privateKey`, created for each request.
    package var signsClientSecret = false
    /// True if client assertions have the token endpoint as audience instead of the issuer.
    package var addressesAssertionsToTokenEndpoint = false
    /// A second header member of client assertions for `keyID`, for providers that identify a key by its certificate.
    package var assertionKeyHeader: String?
    /// The algorithms that `privateKey` may be for; nil for any.
    package var keyAlgorithms: [String]?
    /// True if the callback's form may have a `user` field with the user's name, at the first sign-in only.
    package var sendsUserField = false
    /// A claim within which the subject is unique: the subject becomes `{claim}:{subject}`.
    package var subjectQualifier: String?
    /// A second claim that must be true for an address to be verified.
    package var emailAlsoVerifiedBy: String?
    package var groupClaims: [GroupClaim] = []
    package var groupEndpoints: [GroupEndpoint] = []
    /// Members of a JWT access token, signed with the provider's keys, that are used if the ID token lacks them.
    package var accessTokenClaims: [String] = []
    package var logout = Logout.standard(.idToken)
    /// True if API calls carry `appsecret_proof`, the access token's HMAC with the client secret.
    package var provesAppSecret = false
    /// True if `debug_token`, next to the userinfo endpoint, must confirm that the access token was issued to this client.
    package var asksWhoseTokenItIs = false

    package init() {}
}
