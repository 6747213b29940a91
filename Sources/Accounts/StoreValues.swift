import TokenCrypto

/// The purposes of a mail token.
package enum MailTokenPurpose: String, Sendable, CaseIterable {
    /// The account has the address already.
    case verify
    case reset
    /// The account gets the address.
    case change
    /// An anonymous account gets the address and the password that wait with the token.
    case upgrade
}

/// A mail token as the store keeps it.
package struct MailTokenRecord: Sendable, Equatable {
    /// SHA-256 of the token.
    package let digest: [UInt8]
    package let purpose: MailTokenPurpose
    package let uid: String
    /// The address that the token was mailed to.
    package let email: EmailAddress
    package let expiresAt: Int64
    /// Of `upgrade`.
    package let passwordHash: PasswordHash?

    package init(
        digest: [UInt8], purpose: MailTokenPurpose, uid: String, email: EmailAddress, expiresAt: Int64, passwordHash: PasswordHash? = nil
    ) {
        self.passwordHash = passwordHash
        self.digest = digest
        self.purpose = purpose
        self.uid = uid
        self.email = email
        self.expiresAt = expiresAt
    }
}

/// The end of sessions of an account that began before a time.
package struct SessionEnding: Sendable, Equatable {
    package let uid: String
    /// Nil: whatever provider the session was made with.
    package let provider: String?
    /// Sessions made up to this time end.
    package let before: Int64
    /// The session that goes on: the name that the caller gave, best a digest of the session id. Nil: none.
    package let keep: String?

    package init(uid: String, provider: String? = nil, before: Int64, keep: String? = nil) {
        self.uid = uid
        self.provider = provider
        self.before = before
        self.keep = keep
    }
}

/// The last ends of the sessions of one account, as the store knows them. Times are Unix milliseconds.
package struct SessionEndings: Sendable, Equatable {
    /// Whatever provider the sessions were made with; nil: none is known.
    package var all: Int64?
    /// By provider, of the sessions that were made with it.
    package var byProvider: [String: Int64]

    package init(all: Int64? = nil, byProvider: [String: Int64] = [:]) {
        self.all = all
        self.byProvider = byProvider
    }

    /// The latest of them; nil without any.
    var last: Int64? { (byProvider.values + [all].compactMap { $0 }).max() }

    /// Whether a session that was made with this provider, and began at this time, has ended.
    package func cover(provider: String, issuedAt: Int64) -> Bool {
        [all, byProvider[provider]].contains { end in end.map { issuedAt <= $0 } ?? false }
    }

    mutating func add(_ ending: SessionEnding) {
        if let provider = ending.provider {
            byProvider[provider] = max(byProvider[provider] ?? .min, ending.before)
        } else {
            all = max(all ?? .min, ending.before)
        }
    }
}

package struct NumberedEnding: Sendable, Equatable {
    package let number: Int64
    package let ending: SessionEnding

    package init(number: Int64, ending: SessionEnding) {
        self.number = number
        self.ending = ending
    }
}

/// The subject of an attempt limit, as a digest: the store shows no address.
package struct AttemptKey: Sendable, Hashable {
    /// The store keeps at most this many times of one key.
    package static let greatestLimit = 1_000

    package let digest: [UInt8]

    /// `scope`: the limit, such as `password-address`. `subject`: what it counts for.
    package init(scope: String, subject: String, key: [UInt8]) {
        digest = HMAC.sha256(key: key, Array("attempt\0\(scope)\0\(subject)".utf8))
    }
}

package enum AttemptAnswer: Sendable, Equatable {
    /// Counted. `remaining`: further attempts before the limit.
    case counted(CountedAttempt, remaining: Int)
    /// Not counted. `retryAfter`: milliseconds, at least 1.
    case refused(retryAfter: Int64)
}

package struct CountedAttempt: Sendable, Equatable {
    package let key: AttemptKey
    package let at: Int64

    package init(key: AttemptKey, at: Int64) {
        self.key = key
        self.at = at
    }
}

/// A message that must be delivered at least once.
package struct OutboxEntry: Sendable, Equatable {
    /// Unique; the receiver recognises a repeated delivery by it.
    package let id: String
    package let kind: String
    package let payload: String
    package let createdAt: Int64

    package init(id: String, kind: String, payload: String, createdAt: Int64) {
        self.id = id
        self.kind = kind
        self.payload = payload
        self.createdAt = createdAt
    }
}

package struct ClaimedEntry: Sendable, Equatable {
    package let entry: OutboxEntry
    /// 1 for the first delivery.
    package let attempt: Int

    package init(entry: OutboxEntry, attempt: Int) {
        self.entry = entry
        self.attempt = attempt
    }
}
