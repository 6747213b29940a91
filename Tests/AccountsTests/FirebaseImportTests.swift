import Testing
import TokenCrypto

@testable import Accounts

@Suite("Users of a Firebase Auth export")
struct FirebaseImportTests {
    // https://github.com/firebase/scrypt, README.md
    private static let project = try? FirebaseScrypt(
        hashKey: "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==", saltSeparator: "Bw==",
        rounds: 8, memoryCost: 14)
    private static let password =
        #""passwordHash":"lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==","salt":"42xEC+ixf3L2lw==""#
    private static let issuers: [String: FirebaseImport.Issuer] = [
        "google.com": .known("https://accounts.google.com"), "github.com": .known("https://github.com"), "microsoft.com": .dependsOnTenant,
    ]

    private static func user(
        _ text: String, _ passwords: FirebaseImport.Passwords = .leftOut
    ) throws(ImportProblem) -> FirebaseImport.User {
        try FirebaseImport(issuers: issuers, passwords: passwords).user(parsing: Array(text.utf8), now: Example.now)
    }

    private static var kept: FirebaseImport.Passwords { project.map { .kept($0) } ?? .undecided }

    @Test func `a user with a password and two providers becomes an account with the same uid`() throws {
        let user = try Self.user(
            """
            {"localId":"Zx9KqLm2Nop3QrStUvWxYz012345","email":"ada@example.com","emailVerified":true,\(Self.password),
            "displayName":"Ada","photoUrl":"https://example.com/a.png","lastSignedInAt":"1700000000123","createdAt":"1600000000456",
            "disabled":true,"customAttributes":"{\\"admin\\":true}",
            "providerUserInfo":[
              {"providerId":"google.com","rawId":"1234","email":"ada@example.com","displayName":"Ada L.","photoUrl":"x","federatedId":"1234"},
              {"providerId":"password","rawId":"ada@example.com","email":"ada@example.com","federatedId":"ada@example.com"},
              {"providerId":"github.com","rawId":"583231","screenName":"ada"}]}
            """, Self.kept)
        let account = user.record.account
        let email = EmailAddress("ada@example.com")
        #expect(
            account
                == Account(
                    uid: "Zx9KqLm2Nop3QrStUvWxYz012345", email: email, verification: .operation, provenAt: 1_600_000_000_456, name: "Ada",
                    picture: "https://example.com/a.png", isDisabled: true, createdAt: 1_600_000_000_456, lastSignInAt: 1_700_000_000_123,
                    identities: [
                        LinkedIdentity(
                            provider: "google.com", issuer: "https://accounts.google.com", subject: "1234", email: email, name: "Ada L.",
                            linkedAt: 1_600_000_000_456),
                        LinkedIdentity(
                            provider: "github.com", issuer: "https://github.com", subject: "583231", username: "ada",
                            linkedAt: 1_600_000_000_456),
                    ], hasPassword: true))
        var leftOut = FirebaseImport.LeftOut()
        leftOut.customClaims = 1
        #expect(user.leftOut == leftOut)
        let hash = try HashedPassword(parsing: try #require(user.record.passwordHash).phc)
        #expect(try PasswordHasher().verify(Password("user1password"), against: hash))
        #expect(try !PasswordHasher().verify(Password("user2password"), against: hash))
    }

    @Test func `what no account can hold is counted`() throws {
        var leftOut = FirebaseImport.LeftOut()
        leftOut.unknownProviders = ["saml.corp": 1, "facebook.com": 1]
        leftOut.tenantProviders = ["microsoft.com": 1]
        leftOut.furtherIdentities = 1
        leftOut.phoneNumbers = 1
        leftOut.secondFactors = 1
        leftOut.passwords = 1
        let user = try Self.user(
            """
            {"localId":"a","email":"a@example.com","phoneNumber":"+15550100",\(Self.password),"mfaInfo":[{"phoneInfo":"+15550101"},{"totpInfo":{}}],
            "customAttributes":"{}","providerUserInfo":[{"providerId":"saml.corp","rawId":"1"},{"providerId":"facebook.com"},
            {"providerId":"microsoft.com","rawId":"1"},{"providerId":"google.com","rawId":"1"},{"providerId":"google.com","rawId":"2"},
            {"providerId":"phone","rawId":"+15550100"}]}
            """)
        #expect(user.leftOut == leftOut)
        #expect(user.record.factors.map(\.factor.type) == [.phone])
        #expect(user.record.account.identities.map(\.subject) == ["1"])
        #expect(!user.record.account.hasPassword && user.record.passwordHash == nil && !user.record.account.emailVerified)
        leftOut.add(leftOut)
        #expect(leftOut.unknownProviders == ["saml.corp": 2, "facebook.com": 2] && leftOut.phoneNumbers == 2 && leftOut.passwords == 2)
    }

    @Test func `second factors keep their numbers, secrets, names and times`() throws {
        let text = """
            {"localId":"a","email":"a@example.com","createdAt":"5000","mfaInfo":[
            {"mfaEnrollmentId":"1","displayName":"Mobile","phoneInfo":"+15550101","enrolledAt":"2023-11-14T22:13:20.123456Z"},
            {"mfaEnrollmentId":"2","totpInfo":{"sharedSecretKey":"GEZDGNBVGY3TQOJQ"}}]}
            """
        let user = try Self.user(text)
        #expect(user.leftOut.secondFactors == 0)
        let (phone, app) = (user.record.factors[0], user.record.factors[1])
        #expect(phone.factor.displayName == "Mobile" && phone.factor.enrolledAt == 1_700_000_000_123)
        #expect(phone.secret == Array("+15550101".utf8) && app.secret == Array("1234567890".utf8))
        #expect(app.factor.type == .totp && app.factor.enrolledAt == 5_000 && app.factor.id != phone.factor.id)
        #expect(try Self.user(text) == user, "the ids follow from Firebase's")
    }

    @Test func `a password whose hash Firebase does not export is counted`() throws {
        let user = try Self.user(
            #"{"localId":"a","email":"a@example.com","passwordHash":"","providerUserInfo":[{"providerId":"password","rawId":"x"}]}"#,
            Self.kept)
        #expect(user.leftOut.missingHashes == 1 && user.leftOut.withoutSignIn == 1 && !user.record.account.isAnonymous)
    }

    @Test(
        "a user without any credential is anonymous; one whose credentials are left out is not",
        arguments: [
            (#"{"localId":"a"}"#, true), (#"{"localId":"a","providerUserInfo":[],"email":"","passwordHash":""}"#, false),
            (#"{"localId":"a","phoneNumber":"+15550100"}"#, false),
            (#"{"localId":"a","providerUserInfo":[{"providerId":"saml.corp","rawId":"1"}]}"#, false),
            (#"{"localId":"a","email":"a@example.com"}"#, false),
        ])
    func anonymous(text: String, isAnonymous: Bool) throws {
        let user = try Self.user(text)
        #expect(user.record.account.isAnonymous == isAnonymous)
        #expect(user.leftOut.withoutSignIn == 1)
        #expect(user.record.account.createdAt == Example.now)
    }

    @Test func `texts are cut as at a sign-in, and an address of a provider that is none is left out`() throws {
        let user = try Self.user(
            """
            {"localId":"a","displayName":"\(String(repeating: "x", count: 600))","photoUrl":"\(String(repeating: "x", count: 3_000))",
            "providerUserInfo":[{"providerId":"google.com","rawId":"1","email":"none"}]}
            """)
        #expect(user.record.account.name?.count == 500 && user.record.account.picture == nil)
        #expect(user.record.account.identities.first?.email == nil)
    }

    @Test(
        "hostile and damaged users are refused with the reason",
        arguments: [
            ("{}", "`localId` is missing"), ("[]", "it is not a JSON object"), (#"{"localId":"a","localId":"b"}"#, "it is not JSON"),
            (#"{"localId":"ada@example.com"}"#, "`localId`: the uid is not"), (#"{"localId":"a\nb"}"#, "`localId`: the uid is not"),
            (#"{"localId":1}"#, "`localId` is not a string"), (#"{"localId":"a","email":"x"}"#, "`email` is not an e-mail address"),
            (#"{"localId":"a","emailVerified":"true"}"#, "`emailVerified` is neither"),
            (#"{"localId":"a","createdAt":"+1"}"#, "`createdAt` is not a time"),
            (#"{"localId":"a","createdAt":"-1"}"#, "`createdAt` is not a time"),
            (#"{"localId":"a","createdAt":"99999999999999999999"}"#, "`createdAt` is not a time"),
            (#"{"localId":"a","createdAt":1e300}"#, "`createdAt` is not a time"),
            (#"{"localId":"a","createdAt":true}"#, "`createdAt` is not a time"),
            (#"{"localId":"a","lastSignedInAt":"9007199254740993"}"#, "`lastSignedInAt` is not a time"),
            (#"{"localId":"a","providerUserInfo":{}}"#, "`providerUserInfo` is not a list"),
            (#"{"localId":"a","providerUserInfo":[{}]}"#, "`providerId` is missing"),
            (#"{"localId":"a","providerUserInfo":[{"providerId":"google.com"}]}"#, "`rawId` is missing"),
            (#"{"localId":"a","providerUserInfo":[{"providerId":"google.com","rawId":"a\u0000"}]}"#, "`rawId` contains a NUL"),
            (
                #"{"localId":"a","providerUserInfo":[{"providerId":"google.com","rawId":"\#(String(repeating: "1", count: 2_000))"}]}"#,
                "a `rawId` is too long"
            ),
            (#"{"localId":"a","mfaInfo":1}"#, "`mfaInfo` is not a list"),
            (#"{"localId":"a","disabled":0}"#, "`disabled` is neither"),
            (#"{"localId":"a","email":"a@b.example","passwordHash":"AAAA","salt":"AAAA"}"#, "`passwordHash` and `salt` do not fit"),
            (#"{"localId":"a","email":"a@b.example","passwordHash":"%%%%"}"#, "`passwordHash` and `salt` do not fit"),
            (#"{"localId":"a","email":"a@b.example","passwordHash":"UkVEQUNURUQ="}"#, "its password hash is redacted"),
            (#"{"localId":"a","passwordHash":"AAAA"}"#, "a password needs `email`"),
        ])
    func hostile(text: String, reason: String) {
        #expect {
            try Self.user(text, Self.kept)
        } throws: { ($0 as? ImportProblem)?.reason.hasPrefix(reason) ?? false }
    }

    @Test func `a password is not dropped unless the operator says so`() {
        #expect {
            try Self.user(#"{"localId":"a","email":"a@example.com","passwordHash":"AAAA"}"#, .undecided)
        } throws: { ($0 as? ImportProblem)?.reason.contains("no parameters of the hash") ?? false }
    }

    @Test func `hostile provider ids are counted together`() throws {
        let items = (0..<500).map { "{\"providerId\":\"p\($0)\"}" } + [#"{"providerId":"\u001b[2J"}"#]
        let user = try Self.user(#"{"localId":"a","providerUserInfo":[\#(items.joined(separator: ","))]}"#)
        #expect(user.leftOut.unknownProviders.count == 101)
        #expect(user.leftOut.unknownProviders["others"] == 401)
    }
}
