import TokenCrypto

/// One account as `gateway users` writes it: a JSON object with members in a fixed order. docs/users.md describes the members.
package enum AccountDocument {
    /// The longest line of an export.
    package static let longest = 1 << 20

    private static let members: Set<String> = [
        "uid", "email", "email_verified", "verified_by", "verified_at", "name", "picture", "anonymous", "disabled", "created_at",
        "last_sign_in_at",
        "identities", "password_hash", "second_factors",
    ]
    private static let identityMembers: Set<String> = [
        "provider", "issuer", "subject", "email", "email_verified", "username", "name", "linked_at",
    ]

    // MARK: Writing

    /// The account with its password hash and its second factors, for `export`: without a line break.
    package static func exported(_ record: AccountRecord) -> [UInt8] {
        var object = object(record.account)
        if let hash = record.passwordHash { object.add("password_hash", .string(hash.phc)) }
        if !record.factors.isEmpty { object.add("second_factors", record.factors.map(\.object)) }
        return object.closed
    }

    /// The account without any secret, for `list` and `show`.
    ///
    /// `factors`: nil leaves them out.
    package static func shown(_ account: Account, factors: [Factor]? = nil) -> [UInt8] {
        var object = object(account)
        if let factors {
            object.add(
                "second_factors",
                factors.map { factor in
                    var shown = OrderedObject()
                    shown.add("id", .string(factor.id))
                    shown.add("type", .string(factor.type.rawValue))
                    shown.add("display_name", factor.displayName.map { .string($0) })
                    shown.add("enrolled_at", .string(AccountTime.text(factor.enrolledAt)))
                    return shown
                })
        }
        object.add("has_password", .bool(account.hasPassword))
        object.add("providers", .array(account.providers.map { .string($0) }))
        return object.closed
    }

    private static func object(_ account: Account) -> OrderedObject {
        var object = OrderedObject()
        object.add("uid", .string(account.uid))
        if let email = account.email {
            object.add("email", .string(email.text))
            object.add("email_verified", .bool(account.emailVerified))
        }
        object.add("verified_by", account.verification.map { .string($0.text) })
        object.add("verified_at", account.provenAt.map { .string(AccountTime.text($0)) })
        object.add("name", account.name.map { .string($0) })
        object.add("picture", account.picture.map { .string($0) })
        object.add("anonymous", .bool(account.isAnonymous))
        object.add("disabled", .bool(account.isDisabled))
        object.add("created_at", .string(AccountTime.text(account.createdAt)))
        object.add("last_sign_in_at", account.lastSignInAt.map { .string(AccountTime.text($0)) })
        object.add("identities", account.identities.map(Self.object))
        return object
    }

    private static func object(_ identity: LinkedIdentity) -> OrderedObject {
        var object = OrderedObject()
        object.add("provider", .string(identity.provider))
        object.add("issuer", .string(identity.issuer))
        object.add("subject", .string(identity.subject))
        if let email = identity.email {
            object.add("email", .string(email.text))
            object.add("email_verified", .bool(identity.emailVerified))
        }
        object.add("username", identity.username.map { .string($0) })
        object.add("name", identity.name.map { .string($0) })
        object.add("linked_at", .string(AccountTime.text(identity.linkedAt)))
        return object
    }

    // MARK: Reading

    /// An account of an export. `now`: for times that are missing, Unix milliseconds.
    package static func record(parsing line: [UInt8], now: Int64) throws(ImportProblem) -> AccountRecord {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: line, limits: JSONValue.Limits(bytes: longest, depth: 8))
        } catch {
            throw ImportProblem("it is not JSON: \(error.description)")
        }
        let read = try ImportMembers(value, only: members)
        let uid = try read.required("uid")
        guard UserID.isValid(uid) else { throw ImportProblem(Self.invalidUID) }
        let createdAt = try read.time("created_at") ?? now
        var identities: [LinkedIdentity] = []
        for item in try read.list("identities") {
            do throws(ImportProblem) {
                let identity = try identity(item, linkedAt: createdAt)
                guard !identities.contains(where: { $0.provider == identity.provider }) else {
                    throw ImportProblem("another one has the same provider")
                }
                identities.append(identity)
            } catch {
                throw ImportProblem("identity \(identities.count + 1): \(error.reason)")
            }
        }
        let picture = try read.text("picture")
        guard ProfileText.keptURL(picture) == picture else { throw ImportProblem("`picture` is empty or longer than 2,000 bytes") }
        let email = try read.email("email")
        let hash = try passwordHash(read)
        guard hash == nil || email != nil else { throw ImportProblem("a password needs `email`") }
        let isAnonymous = try read.flag("anonymous") ?? false
        let factors = try FactorDocument.list(try read.list("second_factors"), isAnonymous: isAnonymous, enrolledAt: createdAt)
        let verification = try verification(read)
        let account = Account(
            uid: uid, email: email, verification: verification, provenAt: try provenAt(read, verification, createdAt: createdAt),
            name: try read.profileText("name"), picture: picture, isAnonymous: isAnonymous, isDisabled: try read.flag("disabled") ?? false,
            createdAt: createdAt,
            lastSignInAt: try read.time("last_sign_in_at"), identities: identities, hasPassword: hash != nil)
        return AccountRecord(account: account, passwordHash: hash, factors: factors)
    }

    static let invalidUID = "the uid is not 1 to \(UserID.longest) ASCII letters, digits and -._~:|, or begins with -"

    private static func verification(_ read: ImportMembers) throws(ImportProblem) -> EmailVerification? {
        let source = try read.text("verified_by")
        let isVerified = try read.flag("email_verified") ?? (source != nil)
        guard isVerified else {
            guard source == nil else { throw ImportProblem("`verified_by` needs `email_verified: true`") }
            return nil
        }
        guard read.has("email") else { throw ImportProblem("`email_verified` needs `email`") }
        guard let source else { return .operation }
        guard let verification = EmailVerification(source), source.utf8.count <= 200, !source.hasSuffix(":") else {
            throw ImportProblem("`verified_by` is not mail, operation, provider:ID or mailbox:ID")
        }
        return verification
    }

    /// What an operator vouches for was proven from the beginning. Of other proofs, a file of an earlier version has no time.
    private static func provenAt(
        _ read: ImportMembers, _ verification: EmailVerification?, createdAt: Int64
    ) throws(ImportProblem) -> Int64? {
        guard let time = try read.time("verified_at") else { return verification == .operation ? createdAt : nil }
        guard verification != nil else { throw ImportProblem("`verified_at` needs `email_verified: true`") }
        return time
    }

    private static func passwordHash(_ read: ImportMembers) throws(ImportProblem) -> PasswordHash? {
        guard let text = try read.text("password_hash") else { return nil }
        guard (try? HashedPassword(parsing: text)) != nil else {
            throw ImportProblem("`password_hash` is not a PHC string of argon2id, scrypt or firebase-scrypt within the limits")
        }
        return PasswordHash(phc: text)
    }

    private static func identity(_ value: JSONValue, linkedAt: Int64) throws(ImportProblem) -> LinkedIdentity {
        let read = try ImportMembers(value, only: identityMembers)
        let provider = try read.required("provider")
        guard provider != ReservedProvider.password, provider != ReservedProvider.anonymous else {
            throw ImportProblem("`\(provider)` has no identities")
        }
        let email = try read.email("email")
        let isVerified = try read.flag("email_verified") ?? false
        guard !isVerified || email != nil else { throw ImportProblem("`email_verified` needs `email`") }
        let identity = LinkedIdentity(
            provider: provider, issuer: try read.required("issuer"), subject: try read.required("subject"), email: email,
            emailVerified: isVerified, username: try read.profileText("username"), name: try read.profileText("name"),
            linkedAt: try read.time("linked_at") ?? linkedAt)
        guard identity.key.isStorable else { throw ImportProblem("`provider`, `issuer` and `subject` are longer than 2,000 bytes") }
        return identity
    }
}

/// A JSON object whose members keep the order in which they were added.
struct OrderedObject {
    private var bytes = [UInt8(ascii: "{")]

    var closed: [UInt8] { bytes + [UInt8(ascii: "}")] }

    mutating func add(_ name: String, _ value: JSONValue?) {
        guard let value else { return }
        begin(name)
        bytes += value.serializedBytes()
    }

    mutating func add(_ name: String, _ object: OrderedObject?) {
        guard let object else { return }
        begin(name)
        bytes += object.closed
    }

    mutating func add(_ name: String, _ objects: [OrderedObject]) {
        begin(name)
        bytes.append(UInt8(ascii: "["))
        bytes += objects.map(\.closed).joined(separator: [UInt8(ascii: ",")])
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func begin(_ name: String) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        bytes += JSONValue.string(name).serializedBytes()
        bytes.append(UInt8(ascii: ":"))
    }
}
