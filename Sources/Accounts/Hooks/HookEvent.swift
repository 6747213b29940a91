package import TokenCrypto

/// The account that an event is about.
package struct HookUser: Sendable, Equatable {
    package var uid: String
    package var email: String?
    package var emailVerified: Bool
    package var name: String?
    package var isAnonymous: Bool
    /// The ids of the linked providers.
    package var providers: [String]

    package init(
        uid: String, email: String? = nil, emailVerified: Bool = false, name: String? = nil, isAnonymous: Bool = false,
        providers: [String] = []
    ) {
        self.uid = uid
        self.email = email
        self.emailVerified = emailVerified
        self.name = name
        self.isAnonymous = isAnonymous
        self.providers = providers
    }

    var json: JSONValue {
        .object([
            "uid": .string(uid), "email": .optional(email), "email_verified": .bool(emailVerified), "name": .optional(name),
            "anonymous": .bool(isAnonymous), "providers": .array(providers.map(JSONValue.string)),
        ])
    }
}

/// The client that signs in.
package struct HookClientFacts: Sendable, Equatable {
    package var address: String
    package var userAgent: String?

    package init(address: String, userAgent: String? = nil) {
        self.address = address
        self.userAgent = userAgent
    }
}

/// A sign-in that a hook decides about.
package struct HookSignIn: Sendable, Equatable {
    package var user: HookUser
    /// The provider's id; `password` and `anonymous` have no profile.
    package var provider: String
    package var profile: JSONValue
    package var client: HookClientFacts

    package init(user: HookUser, provider: String, profile: JSONValue = .object([:]), client: HookClientFacts) {
        self.user = user
        self.provider = provider
        self.profile = profile
        self.client = client
    }
}

/// What an operator's endpoint is asked or hears of.
package enum HookEvent: Sendable, Equatable {
    case beforeCreate(HookSignIn)
    case beforeSignIn(HookSignIn)
    /// The user has signed in to both accounts. The answer's body means nothing. `id`: the same for each delivery of one event.
    case merge(id: String, previous: HookUser, current: HookUser)

    /// The value of `event`.
    package var name: String {
        switch self {
        case .beforeCreate: "beforeCreate"
        case .beforeSignIn: "beforeSignIn"
        case .merge: "merge"
        }
    }

    /// The body of the request: compact JSON with members sorted by name.
    package var body: [UInt8] {
        var members: [String: JSONValue] = ["event": .string(name)]
        switch self {
        case .beforeCreate(let signIn), .beforeSignIn(let signIn):
            members["user"] = signIn.user.json
            members["provider"] = .string(signIn.provider)
            members["profile"] = signIn.profile
            members["client"] = .object(["address": .string(signIn.client.address), "user_agent": .optional(signIn.client.userAgent)])
        case .merge(let id, let previous, let current):
            members["id"] = .string(id)
            members["previous"] = previous.json
            members["current"] = current.json
        }
        return JSONValue.object(members).serializedBytes()
    }
}

extension JSONValue {
    fileprivate static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}
