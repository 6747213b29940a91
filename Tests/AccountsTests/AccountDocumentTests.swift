import Testing
import TokenCrypto

@testable import Accounts

@Suite("The lines of an export of accounts")
struct AccountDocumentTests {
    private static let phc = "$scrypt$ln=17,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

    private static func parse(_ text: String) throws(ImportProblem) -> AccountRecord {
        try AccountDocument.record(parsing: Array(text.utf8), now: Example.now)
    }

    private static let full: AccountRecord = {
        var account = Example.account(
            "lwthwgu6karekktoh2pdlnrj2f", verification: .provider("google.com", runsMailbox: true), identities: [], hasPassword: true,
            isDisabled: true)
        account.name = "Ada \"Countess\" Lovelace\u{301}\n\u{7F}"
        account.picture = "https://example.com/a?b=c&d=e"
        account.identities = [
            LinkedIdentity(
                provider: "google.com", issuer: "https://accounts.google.com", subject: "1 \u{E9}", email: EmailAddress("ada@example.com"),
                emailVerified: true, username: "ada", name: "A", linkedAt: Example.now - 999),
            LinkedIdentity(provider: "oidc.acme", issuer: "https://auth.example.com/", subject: "e\u{301}", linkedAt: Example.now),
        ]
        account.revision = 1
        let key = FactorCredential(id: [1, 2], publicKey: [3], counter: 4, transports: ["usb", "nfc"])
        return AccountRecord(
            account: account, passwordHash: PasswordHash(phc: phc),
            factors: [
                FactorDocument(
                    factor: Factor(id: "one", type: .totp, displayName: "App", enrolledAt: Example.now, lastStep: 12),
                    secret: Array("12345678901234567890".utf8)),
                FactorDocument(factor: Factor(id: "two", type: .phone, enrolledAt: Example.now), secret: Array("+15550100".utf8)),
                FactorDocument(factor: Factor(id: "three", type: .webauthn, enrolledAt: Example.now, credential: key)),
                FactorDocument(
                    factor: Factor(id: "four", type: .recovery, enrolledAt: Example.now),
                    recoveryCodes: [Array(repeating: 2, count: 32), Array(repeating: 1, count: 32)]),
            ])
    }()

    @Test func `an exported account is read back as it was, and written again byte for byte`() throws {
        let line = AccountDocument.exported(Self.full)
        let read = try AccountDocument.record(parsing: line, now: 0)
        #expect(read == Self.full)
        #expect(AccountDocument.exported(read) == line)
        #expect(!line.contains(UInt8(ascii: "\n")))
    }

    @Test func `members have a fixed order and the names of the documentation`() throws {
        let text = String(decoding: AccountDocument.exported(Self.full), as: UTF8.self)
        let names = [
            "uid", "email", "email_verified", "verified_by", "name", "picture", "anonymous", "disabled", "created_at", "last_sign_in_at",
            "identities", "provider", "issuer", "subject", "linked_at", "password_hash", "second_factors", "id", "type", "display_name",
            "enrolled_at", "secret", "last_step", "phone", "credential", "id", "public_key", "counter", "transports", "code_digests",
        ]
        var rest = text[...]
        for name in names {
            let found = try #require(rest.firstRange(of: "\"\(name)\":"), "\(name)")
            rest = rest[found.upperBound...]
        }
        #expect(text.contains("\"verified_by\":\"mailbox:google.com\""))
        #expect(text.contains("\"secret\":\"GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ\""), "as apps show it")
        #expect(text.contains("\"created_at\":\"2027-01-15T07:59:50.000Z\""))
    }

    @Test func `an account of which nothing is known is short`() throws {
        let account = Account(uid: "a", createdAt: 0)
        #expect(
            String(decoding: AccountDocument.exported(AccountRecord(account: account, passwordHash: nil)), as: UTF8.self)
                == #"{"uid":"a","anonymous":false,"disabled":false,"created_at":"1970-01-01T00:00:00.000Z","identities":[]}"#)
    }

    @Test func `what list and show print has no hash`() {
        let text = String(decoding: AccountDocument.shown(Self.full.account), as: UTF8.self)
        #expect(text.contains(#""has_password":true,"providers":["google.com","oidc.acme","password"]}"#))
        #expect(!text.contains("scrypt") && !text.contains("password_hash"))
    }

    @Test func `an export says when the address was first proven, and an earlier one does not`() throws {
        var account = Account(uid: "a", email: EmailAddress("a@example.com"), verification: .mail, createdAt: 5)
        for provenAt in [nil, 1_582_934_400_000] as [Int64?] {
            account.provenAt = provenAt
            let text = String(decoding: AccountDocument.exported(AccountRecord(account: account, passwordHash: nil)), as: UTF8.self)
            #expect(text.contains(#""verified_at":"2020-02-29T00:00:00.000Z""#) == (provenAt != nil))
            #expect(try Self.parse(text).account == account)
        }
        #expect(throws: ImportProblem.self) {
            try Self.parse(#"{"uid":"b","email":"a@example.com","verified_at":"2020-02-29T00:00:00Z"}"#)
        }
    }

    @Test func `a line that an operator writes needs only a uid`() throws {
        let read = try Self.parse(#" {"uid": "bob", "email": "Bob@Example.com", "email_verified": true, "name": null} "#)
        let expected = Account(
            uid: "bob", email: EmailAddress("Bob@example.com"), verification: .operation, provenAt: Example.now, createdAt: Example.now)
        #expect(read == AccountRecord(account: expected, passwordHash: nil))
        #expect(read.account.email?.text == "Bob@example.com")
        let linked = try Self.parse(
            #"{"uid":"c","created_at":"2020-02-29T00:00:00Z","identities":[{"provider":"p","issuer":"i","subject":"s"}]}"#)
        #expect(linked.account.identities.first?.linkedAt == 1_582_934_400_000)
    }

    @Test(
        "hostile and damaged lines are refused with the reason",
        arguments: [
            ("", "it is not JSON"), ("{", "it is not JSON"), ("[]", "it is not a JSON object"), ("null", "it is not a JSON object"),
            (#"{"uid":"a","uid":"b"}"#, "it is not JSON"), (#"{"uid":"a"} {"uid":"b"}"#, "it is not JSON"),
            (#"{"uid":"a","third_factors":[]}"#, "the member `third_factors` is unknown"),
            (#"{"uid":"a","anonymous":true,"second_factors":[{}]}"#, "an anonymous account has no second factors"),
            (#"{"uid":"a","second_factors":[{"id":"1","type":"fax"}]}"#, "second factor 1: `type` is unknown"),
            (#"{"uid":"a","second_factors":[{"id":"1","type":"totp"}]}"#, "second factor 1: `secret` is missing"),
            (#"{"uid":"a","second_factors":[{"id":"1","type":"totp","secret":"A1"}]}"#, "second factor 1: `secret` is not Base32"),
            (#"{"uid":"a","second_factors":[{"id":"1","type":"totp","secret":"AA","last_step":-1}]}"#, "second factor 1: `last_step`"),
            (#"{"uid":"a","second_factors":[{"type":"phone","phone":"+1"}]}"#, "second factor 1: `id` is missing"),
            (#"{"uid":"a","second_factors":[{"id":"1","type":"webauthn"}]}"#, "second factor 1: `credential` is missing"),
            (
                #"{"uid":"a","second_factors":[{"id":"1","type":"webauthn","credential":{"id":"AA","public_key":"AA","counter":-1}}]}"#,
                "second factor 1: `counter` is out of range"
            ),
            (#"{"uid":"a","second_factors":[{"id":"1","type":"recovery","code_digests":[]}]}"#, "it has recovery codes twice, or without"),
            (
                #"{"uid":"a","second_factors":[{"id":"1","type":"phone","phone":"+1"},{"id":"1","type":"phone","phone":"+2"}]}"#,
                "second factor 2: another one has the same id"
            ),
            (
                #"{"uid":"a","second_factors":[\#((1...6).map { #"{"id":"\#($0)","type":"phone","phone":"+1"}"# }.joined(separator: ","))]}"#,
                "it has more than 5 second factors"
            ),
            ("{\"uid\":\"a\",\"\\u001b[2J\":1}", "a member is unknown"),
            (#"{}"#, "`uid` is missing"), (#"{"uid":""}"#, "`uid` is missing"), (#"{"uid":7}"#, "`uid` is not a string"),
            (#"{"uid":"ada@example.com"}"#, "the uid is not 1 to 128"), (#"{"uid":"a b"}"#, "the uid is not 1 to 128"),
            (#"{"uid":"-rf"}"#, "the uid is not 1 to 128"), (#"{"uid":"a\r\nX-Admin: 1"}"#, "the uid is not 1 to 128"),
            (#"{"uid":"é"}"#, "the uid is not 1 to 128"), (#"{"uid":"a\u0000"}"#, "`uid` contains a NUL"),
            (#"{"uid":"\#(String(repeating: "a", count: 129))"}"#, "the uid is not 1 to 128"),
            (#"{"uid":"a","email":"nobody"}"#, "`email` is not an e-mail address"),
            (#"{"uid":"a","email":"a@example.com\nbcc: b@example.com"}"#, "`email` is not an e-mail address"),
            (#"{"uid":"a","email_verified":true}"#, "`email_verified` needs `email`"),
            (#"{"uid":"a","email":"a@b.example","email_verified":"yes"}"#, "`email_verified` is neither true nor false"),
            (#"{"uid":"a","email":"a@b.example","email_verified":false,"verified_by":"mail"}"#, "`verified_by` needs"),
            (#"{"uid":"a","verified_by":"mail"}"#, "`email_verified` needs `email`"),
            (#"{"uid":"a","email":"a@b.example","verified_by":"god"}"#, "`verified_by` is not mail"),
            (#"{"uid":"a","email":"a@b.example","verified_by":"provider:"}"#, "`verified_by` is not mail"),
            (#"{"uid":"a","name":"\#(String(repeating: "x", count: 501))"}"#, "`name` is empty or longer"),
            (#"{"uid":"a","name":""}"#, "`name` is empty or longer"),
            (#"{"uid":"a","picture":"\#(String(repeating: "x", count: 2_001))"}"#, "`picture` is empty or longer"),
            (#"{"uid":"a","disabled":1}"#, "`disabled` is neither true nor false"),
            (#"{"uid":"a","created_at":1}"#, "`created_at` is not a string"),
            (#"{"uid":"a","created_at":"yesterday"}"#, "`created_at` is not a time"),
            (#"{"uid":"a","identities":{}}"#, "`identities` is not a list"),
            (#"{"uid":"a","identities":[1]}"#, "identity 1: it is not a JSON object"),
            (#"{"uid":"a","identities":[{"provider":"p","issuer":"i"}]}"#, "identity 1: `subject` is missing"),
            (#"{"uid":"a","identities":[{"provider":"password","issuer":"i","subject":"s"}]}"#, "identity 1: `password` has no identities"),
            (#"{"uid":"a","identities":[{"provider":"p","issuer":"i","subject":"s","x":1}]}"#, "identity 1: the member `x` is unknown"),
            (
                #"{"uid":"a","identities":[{"provider":"p","issuer":"i","subject":"s"},{"provider":"p","issuer":"i","subject":"t"}]}"#,
                "identity 2: another one has the same provider"
            ),
            (
                #"{"uid":"a","identities":[{"provider":"p","issuer":"i","subject":"\#(String(repeating: "s", count: 2_000))"}]}"#,
                "identity 1: `provider`, `issuer` and `subject` are longer"
            ),
            (#"{"uid":"a","email":"a@b.example","password_hash":"secret"}"#, "`password_hash` is not a PHC string"),
            (
                #"{"uid":"a","email":"a@b.example","password_hash":"$scrypt$ln=30,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA"}"#,
                "`password_hash` is not a PHC string"
            ),
            (#"{"uid":"a","password_hash":"\#(phc)"}"#, "a password needs `email`"),
            (String(repeating: "[", count: 100_000), "it is not JSON"),
            (#"{"uid":"a","identities":[[[[[[[[[[[]]]]]]]]]]]}"#, "it is not JSON"),
        ])
    func hostile(line: String, reason: String) {
        #expect {
            try Self.parse(line)
        } throws: { error in
            guard let problem = error as? ImportProblem else { return false }
            return problem.reason.hasPrefix(reason)
        }
    }

    @Test func `a reason never quotes a value`() {
        for line in [
            #"{"uid":"tell-nobody@example.com"}"#, #"{"uid":"a","email":"tell-nobody"}"#, #"{"uid":"a","password_hash":"tell-nobody"}"#,
        ] {
            #expect {
                try Self.parse(line)
            } throws: { error in (error as? ImportProblem).map { !$0.reason.contains("tell-nobody") } ?? false }
        }
    }

    @Test(
        "uids that an import may bring",
        arguments: [
            ("lwthwgu6karekktoh2pdlnrj2f", true), ("Zx9KqLm2Nop3QrStUvWxYz012345", true), ("kakao:1234", true), ("auth0|5f7c", true),
            ("a.b_c~d-e", true), (String(repeating: "a", count: 128), true), ("", false), ("-a", false), ("a/b", false), ("a,b", false),
            ("a\"", false), ("a=b", false), ("a\t", false), ("\u{FF41}", false), ("a@b", false),
        ])
    func uids(uid: String, isValid: Bool) { #expect(UserID.isValid(uid) == isValid) }

    @Test(
        "the source of a verification has one text",
        arguments: [
            (EmailVerification.mail, "mail"), (.operation, "operation"), (.provider("oidc.a", runsMailbox: false), "provider:oidc.a"),
            (.provider("google.com", runsMailbox: true), "mailbox:google.com"),
        ])
    func verification(value: EmailVerification, text: String) {
        #expect(value.text == text)
        #expect(EmailVerification(text) == value)
    }

    @Test func `a source that a later program writes is no verification`() {
        #expect(EmailVerification("oracle") == nil && EmailVerification("oracle:delphi") == nil && EmailVerification("") == nil)
    }
}

@Suite("Times of exports")
struct AccountTimeTests {
    @Test(
        "times are written and read back (vectors from Python's datetime)",
        arguments: [
            (Int64(0), "1970-01-01T00:00:00.000Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_709_164_800_001, "2024-02-29T00:00:00.001Z"), (1_735_689_599_999, "2024-12-31T23:59:59.999Z"),
            (1_800_000_000_000, "2027-01-15T08:00:00.000Z"), (4_107_542_399_000, "2100-02-28T23:59:59.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ])
    func vectors(time: Int64, text: String) {
        #expect(AccountTime.text(time) == text)
        #expect(AccountTime.milliseconds(text) == time)
    }

    @Test func `every day of four centuries is read back`() {
        var time: Int64 = 12_345
        while time < 12_622_780_800_000 {
            let text = AccountTime.text(time)
            guard AccountTime.milliseconds(text) == time else {
                Issue.record("\(text) is read as another time")
                return
            }
            time += 86_400_000
        }
    }

    @Test func `times out of range are moved into it`() {
        #expect(AccountTime.text(.min) == "1970-01-01T00:00:00.000Z")
        #expect(AccountTime.text(.max) == "9999-12-31T23:59:59.999Z")
    }

    @Test(
        "other forms are no times",
        arguments: [
            "", "2024-02-30T00:00:00Z", "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "2024-00-01T00:00:00Z", "2024-01-00T00:00:00Z",
            "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z", "2024-01-01T00:00:60Z", "2024-01-01 00:00:00Z", "2024-01-01T00:00:00",
            "2024-01-01T00:00:00+00:00", "1969-12-31T23:59:59Z", "2024-01-01T00:00:00.1Z", "2024-01-01T00:00:00,000Z",
            "+024-01-01T00:00:00Z",
            "2024-01-01T00:00:0\u{661}Z", "12024-01-01T00:00:00Z",
        ])
    func others(text: String) { #expect(AccountTime.milliseconds(text) == nil) }
}
