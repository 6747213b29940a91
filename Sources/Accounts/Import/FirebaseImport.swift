import Primitives
package import TokenCrypto

/// How the users of a Firebase Auth export become accounts. docs/firebase.md lists what is kept.
package struct FirebaseImport: Sendable {
    package enum Passwords: Sendable {
        /// Kept as hashes of the project.
        case kept(FirebaseScrypt)
        /// Left out, as the operator asked.
        case leftOut
        /// A user with a password is a problem: nobody said what to do with it.
        case undecided
    }

    package enum Issuer: Sendable, Hashable {
        case known(String)
        /// The provider has one issuer for each tenant, and the export does not name it.
        case dependsOnTenant
    }

    /// Parts of users that no account can hold. Each count is a number of users.
    package struct LeftOut: Sendable, Equatable {
        /// By provider id: the configuration has no such provider.
        package var unknownProviders: [String: Int] = [:]
        /// By provider id: the issuer depends on the user's tenant.
        package var tenantProviders: [String: Int] = [:]
        /// A second identity of one provider; an account has at most one.
        package var furtherIdentities = 0
        package var phoneNumbers = 0
        package var secondFactors = 0
        package var customClaims = 0
        package var passwords = 0
        /// Users with a password that Firebase itself imported from another program, and whose hash it does not export.
        package var missingHashes = 0
        /// Users without anything that a sign-in could begin with.
        package var withoutSignIn = 0

        package init() {}

        package mutating func add(_ other: LeftOut) {
            unknownProviders.merge(other.unknownProviders, uniquingKeysWith: +)
            tenantProviders.merge(other.tenantProviders, uniquingKeysWith: +)
            furtherIdentities += other.furtherIdentities
            phoneNumbers += other.phoneNumbers
            secondFactors += other.secondFactors
            customClaims += other.customClaims
            passwords += other.passwords
            missingHashes += other.missingHashes
            withoutSignIn += other.withoutSignIn
        }
    }

    package struct User: Sendable, Equatable {
        package let record: AccountRecord
        package let leftOut: LeftOut

        package init(_ record: AccountRecord, leftOut: LeftOut = LeftOut()) {
            self.record = record
            self.leftOut = leftOut
        }
    }

    /// Base64 of `REDACTED`, which Firebase writes for an operator who may not read hashes.
    private static let redactedHash = "UkVEQUNURUQ"
    /// More different unknown ids are counted as one, `others`: the export may be hostile.
    private static let mostUnknown = 100

    /// The issuers of the configuration's providers, by provider id.
    package let issuers: [String: Issuer]
    package let passwords: Passwords

    package init(issuers: [String: Issuer], passwords: Passwords) {
        self.issuers = issuers
        self.passwords = passwords
    }

    /// The account of one user. `now`: for times that are missing, Unix milliseconds.
    package func user(parsing bytes: [UInt8], now: Int64) throws(ImportProblem) -> User {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes, limits: JSONValue.Limits(bytes: FirebaseExportSplitter.longestUser, depth: 16))
        } catch {
            throw ImportProblem("it is not JSON: \(error.description)")
        }
        let read = try ImportMembers(value)
        var leftOut = LeftOut()
        let uid = try read.required("localId")
        guard UserID.isValid(uid) else { throw ImportProblem("`localId`: " + AccountDocument.invalidUID) }
        let createdAt = try read.milliseconds("createdAt") ?? now
        let email = try read.text("email").map { $0.isEmpty ? nil : $0 } ?? nil
        let address = email.flatMap(EmailAddress.init)
        guard email == nil || address != nil else { throw ImportProblem("`email` is not an e-mail address") }
        let hash = try passwordHash(read, address, &leftOut)
        let providers = try read.list("providerUserInfo")
        let identities = try identities(providers, linkedAt: createdAt, hasHash: hash != nil || leftOut.passwords > 0, &leftOut)
        let hasPhone = read.has("phoneNumber") || leftOut.phoneNumbers > 0
        if hasPhone { leftOut.phoneNumbers = 1 }
        let isAnonymous = email == nil && providers.isEmpty && !hasPhone && !read.has("passwordHash")
        let mfaInfo = try read.list("mfaInfo")
        if isAnonymous, !mfaInfo.isEmpty { leftOut.secondFactors = 1 }
        let factors = isAnonymous ? [] : try factors(mfaInfo, uid: uid, enrolledAt: createdAt, &leftOut)
        if let claims = try read.text("customAttributes"), claims != "", claims != "{}" { leftOut.customClaims = 1 }
        if identities.isEmpty, hash == nil { leftOut.withoutSignIn = 1 }
        let isVerified = try read.flag("emailVerified") == true && address != nil
        let account = Account(
            uid: uid, email: address, verification: isVerified ? .operation : nil, provenAt: isVerified ? createdAt : nil,
            name: ProfileText.kept(try read.text("displayName")), picture: ProfileText.keptURL(try read.text("photoUrl")),
            isAnonymous: isAnonymous, isDisabled: try read.flag("disabled") ?? false, createdAt: createdAt,
            lastSignInAt: try read.milliseconds("lastSignedInAt"), identities: identities, hasPassword: hash != nil)
        return User(AccountRecord(account: account, passwordHash: hash, factors: factors), leftOut: leftOut)
    }

    /// The second factors: phone numbers, and apps whose secret is there. The ids follow from Firebase's.
    private func factors(
        _ items: [JSONValue], uid: String, enrolledAt: Int64, _ leftOut: inout LeftOut
    ) throws(ImportProblem) -> [FactorDocument] {
        var factors: [FactorDocument] = []
        for item in items {
            let read = try ImportMembers(item)
            let type: FactorType
            let secret: [UInt8]
            if let number = try read.text("phoneInfo") {
                (type, secret) = (.phone, Array(number.utf8))
            } else if let text = read.member("totpInfo")?["sharedSecretKey"]?.string, let bytes = FactorDocument.base32(text) {
                (type, secret) = (.totp, bytes)
            } else {
                leftOut.secondFactors = 1
                continue
            }
            guard factors.count < AccountRules.mostFactors else {
                throw ImportProblem("it has more than \(AccountRules.mostFactors) second factors")
            }
            let name = try read.text("mfaEnrollmentId") ?? String(factors.count)
            let id = Base64URL.encode(Array(SHA2.sha256(Array("firebase second factor\0\(uid)\0\(name)".utf8)).prefix(16)))
            guard !factors.contains(where: { $0.factor.id == id }) else { throw ImportProblem("two second factors have the same id") }
            factors.append(
                FactorDocument(
                    factor: Factor(
                        id: id, type: type, displayName: ProfileText.kept(try read.text("displayName")),
                        enrolledAt: Self.time(try read.text("enrolledAt")) ?? enrolledAt), secret: secret))
        }
        return factors
    }

    /// RFC 3339 in UTC with any number of digits behind the seconds.
    private static func time(_ text: String?) -> Int64? {
        guard let text, text.hasSuffix("Z") else { return nil }
        let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return AccountTime.milliseconds(text) }
        let digits = String((parts[1] + "000").prefix(3))
        return AccountTime.milliseconds("\(parts[0]).\(digits)Z")
    }

    private func passwordHash(
        _ read: ImportMembers, _ email: EmailAddress?, _ leftOut: inout LeftOut
    ) throws(ImportProblem) -> PasswordHash? {
        guard let hash = try read.text("passwordHash"), !hash.isEmpty else { return nil }
        switch passwords {
        case .leftOut:
            leftOut.passwords = 1
            return nil
        case .undecided:
            throw ImportProblem("it has a password, and no parameters of the hash were given")
        case .kept(let project):
            guard !hash.hasPrefix(Self.redactedHash) else {
                throw ImportProblem("its password hash is redacted: export as a user who may read password hashes")
            }
            guard email != nil else { throw ImportProblem("a password needs `email`") }
            guard let hashed = project.hash(passwordHash: hash, salt: try read.text("salt") ?? "") else {
                throw ImportProblem("`passwordHash` and `salt` do not fit the parameters of the hash")
            }
            return PasswordHash(phc: hashed.phc)
        }
    }

    private func identities(
        _ items: [JSONValue], linkedAt: Int64, hasHash: Bool, _ leftOut: inout LeftOut
    ) throws(ImportProblem) -> [LinkedIdentity] {
        var identities: [LinkedIdentity] = []
        for item in items {
            let read = try ImportMembers(item)
            let provider = try read.required("providerId")
            switch provider {
            case ReservedProvider.password:  // the password is a member of the user
                if !hasHash { leftOut.missingHashes = 1 }
                continue
            case "phone":
                leftOut.phoneNumbers = 1
                continue
            default: break
            }
            let issuer: String
            switch issuers[provider] {
            case nil:
                Self.count(provider, &leftOut.unknownProviders)
                continue
            case .dependsOnTenant:
                Self.count(provider, &leftOut.tenantProviders)
                continue
            case .known(let known): issuer = known
            }
            guard !identities.contains(where: { $0.provider == provider }) else {
                leftOut.furtherIdentities = 1
                continue
            }
            let identity = LinkedIdentity(
                provider: provider, issuer: issuer, subject: try read.required("rawId"),
                // Firebase does not say whether the provider vouches for the address.
                email: try read.text("email").flatMap(EmailAddress.init), emailVerified: false,
                username: ProfileText.kept(try read.text("screenName")), name: ProfileText.kept(try read.text("displayName")),
                linkedAt: linkedAt)
            guard identity.key.isStorable else { throw ImportProblem("a `rawId` is too long") }
            identities.append(identity)
        }
        return identities
    }

    private static func count(_ provider: String, _ counts: inout [String: Int]) {
        let name = provider.utf8.count <= 100 && UserID.isValid(provider) ? provider : "others"
        counts[counts[name] != nil || counts.count < mostUnknown ? name : "others", default: 0] += 1
    }
}
