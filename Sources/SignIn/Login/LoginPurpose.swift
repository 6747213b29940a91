import TokenCrypto

/// The reason why a browser was sent to a provider, fixed when it was sent.
package enum LoginPurpose: Sendable, Hashable {
    /// A session for the account of the identity.
    case signIn
    /// The identity joins the account with this uid, whose session began the login.
    case link(uid: String)
    /// The account with this uid signs in again. The provider is asked for a fresh sign-in.
    case reauthenticate(uid: String)

    /// The uid of the account whose session began the login; nil for a sign-in.
    package var uid: String? {
        switch self {
        case .signIn: nil
        case .link(let uid), .reauthenticate(let uid): uid
        }
    }

    package var isReauthentication: Bool {
        if case .reauthenticate = self { true } else { false }
    }
}

extension LoginPurpose {
    /// The members of a sealed transaction; none for a sign-in.
    var members: [String: JSONValue] {
        switch self {
        case .signIn: [:]
        case .link(let uid): ["o": .string("link"), "w": .string(uid)]
        case .reauthenticate(let uid): ["o": .string("reauthenticate"), "w": .string(uid)]
        }
    }

    /// nil: a purpose of another version. Such a login must not end as a sign-in.
    init?(members json: JSONValue) {
        switch (json["o"]?.string, json["w"]?.string) {
        case (nil, nil): self = .signIn
        case ("link", let uid?): self = .link(uid: uid)
        case ("reauthenticate", let uid?): self = .reauthenticate(uid: uid)
        default: return nil
        }
    }
}
