/// The kinds of second factors (`secondFactor.factors`).
package enum FactorType: String, Sendable, CaseIterable {
    case totp
    case webauthn
    case phone
    /// A set of recovery codes: at most one for each account, and only beside another factor.
    case recovery
}

/// A second factor of an account. The store keeps it as it is; only `SecondFactors` knows what the parts mean.
package struct Factor: Sendable, Equatable {
    package let id: String
    package let type: FactorType
    package var displayName: String?
    /// Unix milliseconds.
    package let enrolledAt: Int64
    /// The secret of `totp` and the number of `phone`, sealed with `accounts.keys`. Nil for the others.
    package var sealedSecret: [UInt8]?
    /// The passkey or security key; nil for other types.
    package var credential: FactorCredential?
    /// The last time step whose TOTP code was accepted. Set by the enrolment: its code is used, too.
    package var lastStep: Int64?

    package init(
        id: String, type: FactorType, displayName: String? = nil, enrolledAt: Int64, sealedSecret: [UInt8]? = nil,
        credential: FactorCredential? = nil, lastStep: Int64? = nil
    ) {
        self.id = id
        self.type = type
        self.displayName = displayName
        self.enrolledAt = enrolledAt
        self.sealedSecret = sealedSecret
        self.credential = credential
        self.lastStep = lastStep
    }
}

/// A WebAuthn credential as the relying party stores it.
package struct FactorCredential: Sendable, Equatable {
    /// At most 1,023 bytes. No two accounts have the same.
    package let id: [UInt8]
    /// The COSE key.
    package let publicKey: [UInt8]
    package var counter: UInt32
    /// What the browser said at the registration about how it reaches the authenticator; a hint for later.
    package let transports: [String]

    package init(id: [UInt8], publicKey: [UInt8], counter: UInt32, transports: [String] = []) {
        self.id = id
        self.publicKey = publicKey
        self.counter = counter
        self.transports = transports
    }
}

/// An account with its second factors, read in one transaction.
package struct AccountFactors: Sendable, Equatable {
    package var account: Account
    /// In the order of their enrolment.
    package var factors: [Factor]
    /// Recovery codes that were not used yet.
    package var recoveryCodes: Int

    package init(account: Account, factors: [Factor] = [], recoveryCodes: Int = 0) {
        self.account = account
        self.factors = factors
        self.recoveryCodes = recoveryCodes
    }

    package func factor(_ id: String) -> Factor? { factors.first { $0.id.utf8.elementsEqual(id.utf8) } }
}

/// A change of second factors, applied together with a change of the account's revision.
package enum FactorChange: Sendable, Equatable {
    /// `recoveryCodes`: digests of a `recovery` factor's codes.
    case insert(Factor, uid: String, recoveryCodes: [[UInt8]])
    case remove(id: String, uid: String)
    case removeAll(uid: String)
}

/// A factor whose code or assertion was right, to be used up. `SecondFactors` makes it after the verification.
package struct FactorUse: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// Refused unless the factor's last step is smaller.
        case totp(step: Int64)
        /// Refused unless the counter grows, or both are zero (WebAuthn section 7.2 step 21).
        case webauthn(counter: UInt32)
        /// A message code: the digests of the challenge and of the code.
        case message(challenge: [UInt8], code: [UInt8])
        case recovery(digest: [UInt8])
    }

    package let uid: String
    /// Nil: a message code that proves a number which is no factor yet.
    package let factor: String?
    package let kind: Kind
    /// What the use completes, such as a pending sign-in: refused if it was completed before.
    package let once: OnceMark?
    /// The revision that the account must still have; nil: any.
    package let revision: Int64?

    package init(uid: String, factor: String?, kind: Kind, once: OnceMark? = nil, revision: Int64? = nil) {
        self.revision = revision
        self.uid = uid
        self.factor = factor
        self.kind = kind
        self.once = once
    }
}

/// The store's answer to a use.
package enum FactorUseAnswer: Sendable, Equatable {
    /// Used up, durably. No later call gets this answer for the same code.
    case used
    /// Wrong or used before; nothing has changed.
    case refused
    /// The message code has expired, or none was sent.
    case expired
    /// The account or the factor does not exist any more, or the account is disabled.
    case gone
    /// The account has another revision: its password, its providers or its factors have changed.
    case changed
    /// What the use would complete was completed before.
    case completed
}

/// A code that was sent, as the store keeps it.
package struct MessageCodeRecord: Sendable, Equatable {
    /// The name of the challenge: a digest of what only the browser's sealed cookie holds. A new code for it replaces the old one.
    package let challenge: [UInt8]
    package let uid: String
    /// An HMAC of the code under a key that is not in the store.
    package let code: [UInt8]
    package let expiresAt: Int64

    package init(challenge: [UInt8], uid: String, code: [UInt8], expiresAt: Int64) {
        self.challenge = challenge
        self.uid = uid
        self.code = code
        self.expiresAt = expiresAt
    }
}
