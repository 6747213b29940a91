/// The source of the proof that an address is the user's.
package enum EmailVerification: Sendable, Hashable {
    /// A token that was mailed to the address.
    case mail
    /// An operator, on the command line or by an import.
    case operation
    /// A provider vouched for the address. `runsMailbox`: it also hosts the mailbox (`AccountPolicy.runsMailbox`).
    case provider(String, runsMailbox: Bool)

    /// The form in the store and in exports.
    package var text: String {
        switch self {
        case .mail: "mail"
        case .operation: "operation"
        case .provider(let id, runsMailbox: false): "provider:\(id)"
        case .provider(let id, runsMailbox: true): "mailbox:\(id)"
        }
    }

    /// Nil for a text of a later program.
    package init?(_ text: String) {
        switch text {
        case "mail": self = .mail
        case "operation": self = .operation
        default:
            guard let colon = text.firstIndex(of: ":") else { return nil }
            let id = String(text[text.index(after: colon)...])
            switch text[..<colon] {
            case "provider": self = .provider(id, runsMailbox: false)
            case "mailbox": self = .provider(id, runsMailbox: true)
            default: return nil
            }
        }
    }
}

/// An identity at a provider that opens an account.
package struct LinkedIdentity: Sendable, Equatable {
    /// The provider's id in the configuration.
    package var provider: String
    package var issuer: String
    package var subject: String
    /// The address as the provider gave it; nil if there is none or it is no valid address.
    package var email: EmailAddress?
    /// Whether the provider vouches for the address.
    package var emailVerified: Bool
    package var username: String?
    package var name: String?
    /// Unix milliseconds.
    package var linkedAt: Int64

    package init(
        provider: String, issuer: String, subject: String, email: EmailAddress? = nil, emailVerified: Bool = false,
        username: String? = nil, name: String? = nil, linkedAt: Int64
    ) {
        self.provider = provider
        self.issuer = issuer
        self.subject = subject
        self.email = email
        self.emailVerified = emailVerified
        self.username = username
        self.name = name
        self.linkedAt = linkedAt
    }

    /// The identity of a proof, linked now.
    package init(_ identity: ProviderIdentity, linkedAt: Int64) {
        self.init(
            provider: identity.provider, issuer: identity.issuer, subject: identity.subject,
            email: identity.email.flatMap(EmailAddress.init), emailVerified: identity.emailVerified == true,
            username: ProfileText.kept(identity.username), name: ProfileText.kept(identity.name), linkedAt: linkedAt)
        if email == nil { emailVerified = false }
    }

    package var key: IdentityKey { IdentityKey(provider: provider, issuer: issuer, subject: subject) }
}

/// The name of an identity. At most one account has it. Compared byte by byte: Swift's `==` takes "é" and "e\u{301}" for the same subject.
package struct IdentityKey: Sendable, Hashable {
    package var provider: String
    package var issuer: String
    package var subject: String

    package init(provider: String, issuer: String, subject: String) {
        self.provider = provider
        self.issuer = issuer
        self.subject = subject
    }

    /// Whether a database can keep it: PostgreSQL stores no NUL, and indexes at most 2,700 bytes.
    var isStorable: Bool {
        let texts = [provider, issuer, subject]
        return texts.allSatisfy { !$0.utf8.contains(0) } && texts.reduce(0) { $0 + $1.utf8.count } <= 2_000
    }

    package static func == (a: IdentityKey, b: IdentityKey) -> Bool {
        a.provider.utf8.elementsEqual(b.provider.utf8) && a.issuer.utf8.elementsEqual(b.issuer.utf8)
            && a.subject.utf8.elementsEqual(b.subject.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for text in [provider, issuer, subject] {
            hasher.combine(text.utf8.count)
            for byte in text.utf8 { hasher.combine(byte) }
        }
    }
}

/// An account of the store. Times are Unix milliseconds.
package struct Account: Sendable, Equatable {
    package let uid: String
    package var email: EmailAddress?
    /// Nil: the address is not verified.
    package var verification: EmailVerification?
    /// When the address was first proven. Nil: it never was, or an earlier version wrote the account and nobody knows.
    package var provenAt: Int64?
    package var name: String?
    package var picture: String?
    package var isAnonymous: Bool
    package var isDisabled: Bool
    package let createdAt: Int64
    package var lastSignInAt: Int64?
    /// In the order in which they were linked; at most one for each provider id.
    package var identities: [LinkedIdentity]
    package var hasPassword: Bool
    /// Whether the account has a second factor of any type. The store derives it.
    package var hasFactors: Bool
    /// Grows with every change but that of `lastSignInAt`. The store refuses a change that was decided about another revision.
    package var revision: Int64
    /// The last ends of the account's sessions. The store derives them.
    package var endings: SessionEndings

    package var emailVerified: Bool { verification != nil }

    package init(
        uid: String, email: EmailAddress? = nil, verification: EmailVerification? = nil, provenAt: Int64? = nil, name: String? = nil,
        picture: String? = nil, isAnonymous: Bool = false, isDisabled: Bool = false, createdAt: Int64, lastSignInAt: Int64? = nil,
        identities: [LinkedIdentity] = [], hasPassword: Bool = false, hasFactors: Bool = false, revision: Int64 = 1,
        endings: SessionEndings = SessionEndings()
    ) {
        self.uid = uid
        self.email = email
        self.verification = verification
        self.provenAt = provenAt
        self.name = name
        self.picture = picture
        self.isAnonymous = isAnonymous
        self.isDisabled = isDisabled
        self.createdAt = createdAt
        self.lastSignInAt = lastSignInAt
        self.identities = identities
        self.hasPassword = hasPassword
        self.hasFactors = hasFactors
        self.revision = revision
        self.endings = endings
    }

    /// The provider ids that open the account, in link order; `password` last.
    package var providers: [String] { identities.map(\.provider) + (hasPassword ? [ReservedProvider.password] : []) }

    /// The time that every sign-in of the account was written by: now, or the last sign-in of a replica whose clock is ahead.
    ///
    /// A time far in the future, from an import, does not count: a session that begins then would never end.
    func latestSignIn(now: Int64) -> Int64 {
        guard let lastSignInAt, lastSignInAt > now, lastSignInAt <= now + Self.clockSkew else { return now }
        return lastSignInAt
    }

    /// The start of a session that is made now: after the last end of the account's sessions, also one of a replica whose clock is ahead.
    package func sessionStart(now: Int64) -> Int64 {
        guard let last = endings.last, last >= now, last <= now + Self.clockSkew else { return now }
        return last + 1
    }

    /// The time that every session of the account began by, also one that began after an end of the others.
    package func latestSession(now: Int64) -> Int64 { max(latestSignIn(now: now), sessionStart(now: now)) }

    /// Milliseconds.
    package static let clockSkew: Int64 = 300_000

    package func identity(of provider: String) -> LinkedIdentity? { identities.first { $0.provider == provider } }
}

/// The provider ids of sign-ins without a provider.
package enum ReservedProvider {
    package static let password = "password"
    package static let anonymous = "anonymous"
}

/// Texts of a provider's profile as the store keeps them.
enum ProfileText {
    /// At most 500 characters and 2,000 bytes, without NUL.
    static func kept(_ text: String?) -> String? {
        guard let text else { return nil }
        var kept = String(text.prefix(500))
        if kept.utf8.contains(0) { kept.unicodeScalars.removeAll { $0.value == 0 } }
        while kept.utf8.count > 2_000 { kept.unicodeScalars.removeLast() }
        return kept.isEmpty ? nil : kept
    }

    /// A URL is kept whole or not at all.
    static func keptURL(_ text: String?) -> String? {
        guard let text, !text.isEmpty, text.utf8.count <= 2_000, !text.utf8.contains(0) else { return nil }
        return text
    }
}
