import Primitives
import Providers
import TestTools
import Testing
import TokenCrypto

@testable import SignIn

@Suite struct UnverifiedCallbackTests {
    @Test func `RFC 6749 4.1.2: unknown parameters are ignored, empty ones are omitted, codes may be long`() throws {
        let code = String(repeating: "c", count: 4096)
        let parameters = try UnverifiedCallback(parsing: "code=\(code)&state=a%2Eb&iss=&x=1&x=2&session_state=s")
        #expect(parameters.code == code)
        #expect(parameters.state == "a.b")
        #expect(parameters.issuer == nil)
        #expect(parameters.error == nil)
    }

    @Test(arguments: [
        ("code=a&code=a", UnverifiedCallback.Refusal.duplicate("code")), ("state=a&code=b&state=", .duplicate("state")),
        ("error=a&error=b", .duplicate("error")), ("iss=a&iss=b", .duplicate("iss")), ("st%61te=a&state=b", .duplicate("state")),
        ("state=%", .encoding), ("state=%2", .encoding), ("state=%zz", .encoding), ("state=%ff", .encoding), ("%ff=a", .encoding),
        ("state=" + String(repeating: "a", count: 16 * 1024), .tooLarge),
    ])
    func `RFC 6749 3.1: duplicates, bad escapes and oversize are refused`(query: String, refusal: UnverifiedCallback.Refusal) {
        #expect(throws: refusal) { try UnverifiedCallback(parsing: query) }
        #expect(refusal.signInError(provider: "p").status == 400)
    }

    @Test func `a thousand junk queries crash nothing`() async {
        var generator = SeededGenerator(fixed: 42)
        let alphabet = Array("code=state&%+;iss.error\u{0}ä01/?".unicodeScalars)
        for _ in 0..<1000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<(generator.next() % 60) { text.append(alphabet[Int(generator.next() % UInt64(alphabet.count))]) }
            guard let parameters = try? UnverifiedCallback(parsing: String(text)) else { continue }
            let verifier = CallbackVerifier(settings: oidcSettings(), issuerIsMandatory: false, transactions: makeTransactions())
            await #expect(throws: SignInError.self) { try await verifier.verify(parameters, cookies: [], now: epoch) }
        }
    }
}

@Suite struct CallbackVerifierTests {
    let transactions = makeTransactions()

    /// A sign-in under way: its state and its cookie.
    private func begin(_ settings: ProviderSettings, now: Int64 = epoch) -> (
        transaction: LoginTransaction, cookie: (name: String, value: String)
    ) {
        let transaction = LoginTransaction(
            provider: settings.id, issuer: settings.issuer, usesNonce: true, returnPath: "/deep", redirectURI: settings.redirectURI,
            now: now)
        let lines = self.transactions.setCookieLines(for: transaction, existingNames: [], forFormPost: false, now: now)
        return (transaction, SignInTests.cookie(of: lines[lines.count - 1]))
    }

    private func verify(
        _ query: String, cookies: [(name: String, value: String)], settings: ProviderSettings = oidcSettings(), mandatory: Bool = false,
        now: Int64 = epoch
    ) async throws -> VerifiedState {
        try await CallbackVerifier(settings: settings, issuerIsMandatory: mandatory, transactions: self.transactions)
            .verify(UnverifiedCallback(parsing: query), cookies: cookies, now: now)
    }

    private func refusal(
        _ query: String, cookies: [(name: String, value: String)], settings: ProviderSettings = oidcSettings(), mandatory: Bool = false,
        now: Int64 = epoch
    ) async -> SignInError? {
        await #expect(throws: SignInError.self) {
            try await self.verify(query, cookies: cookies, settings: settings, mandatory: mandatory, now: now)
        }

    }

    @Test func `the sign-in's own answer passes once`() async throws {
        let (transaction, cookie) = self.begin(oidcSettings())
        let verified = try await self.verify("code=c&state=\(transaction.state)", cookies: [("other", "x"), cookie])
        #expect(verified.code == "c")
        #expect(verified.transaction == transaction)
        let again = await self.refusal("code=fresh&state=\(transaction.state)", cookies: [cookie])
        #expect(again?.code == .loginExpired)
        #expect(again?.restartsLogin == true)
        #expect(again?.returnPath == "/deep")
    }

    @Test func `RFC 9700 4.7.1: a finished state without its cookie is known as finished`() async throws {
        let (transaction, cookie) = self.begin(oidcSettings())
        _ = try await self.verify("code=c&state=\(transaction.state)", cookies: [cookie])
        let again = await self.refusal("code=c&state=\(transaction.state)", cookies: [])
        #expect(again?.code == .loginExpired)
        #expect(again?.restartsLogin == true)
    }

    @Test func `RFC 9700 4.7.1: without the cookie, or with another browser's state, the callback is refused`() async {
        let mine = self.begin(oidcSettings()), theirs = self.begin(oidcSettings())
        for cookies in [[], [mine.cookie]] {
            let error = await self.refusal("code=c&state=\(theirs.transaction.state)", cookies: cookies)
            #expect(error?.code == .invalidState)
            #expect(error?.restartsLogin == false)
            #expect(error?.status == 400)
        }
    }

    @Test func `the state's secret half is compared too`() async {
        let (transaction, cookie) = self.begin(oidcSettings())
        let id = transaction.id.text
        for state in [id + ".x", id + ".", String(transaction.state.dropLast()), transaction.state + "x"] {
            #expect(await self.refusal("code=c&state=\(state)", cookies: [cookie])?.code == .invalidState)
        }
    }

    @Test(arguments: ["code=c", "code=c&state=", "error=access_denied", "state=x&code=c", ""])
    func `CVE-2023-27496: no state or a malformed one is an error, not a crash`(query: String) async {
        #expect(await self.refusal(query, cookies: [])?.code == .invalidState)
    }

    @Test func `two cookies of the transaction's name are refused`() async {
        let (transaction, cookie) = self.begin(oidcSettings())
        #expect(await self.refusal("code=c&state=\(transaction.state)", cookies: [cookie, (cookie.name, "junk")])?.code == .invalidState)
    }

    @Test func `RFC 9700 4.4.2: a state that went to another provider is refused`() async {
        let (transaction, cookie) = self.begin(oidcSettings())
        let error = await self.refusal(
            "code=c&state=\(transaction.state)", cookies: [cookie], settings: oidcSettings { $0.id = "oidc.other" })
        #expect(error?.code == .invalidState)
        let moved = await self.refusal(
            "code=c&state=\(transaction.state)", cookies: [cookie], settings: oidcSettings { $0.redirectURI = "https://b.example/cb" })
        #expect(moved?.code == .invalidState)
    }

    @Test func `a late callback restarts the sign-in, its cookie there or not`() async {
        let (transaction, cookie) = self.begin(oidcSettings())
        let late = epoch + LoginTransaction.lifetime
        let kept = await self.refusal("code=c&state=\(transaction.state)", cookies: [cookie], now: late)
        #expect(kept?.code == .loginExpired)
        #expect(kept?.returnPath == "/deep")
        let dropped = await self.refusal("code=c&state=\(transaction.state)", cookies: [], now: late)
        #expect(dropped?.code == .loginExpired)
        #expect(dropped?.restartsLogin == true)
    }

    @Test func `five tabs at once all succeed`() async throws {
        let tabs = (0..<5).map { _ in self.begin(oidcSettings()) }
        for tab in tabs.reversed() {
            #expect(
                try await self.verify("code=c&state=\(tab.transaction.state)", cookies: tabs.map(\.cookie)).transaction == tab.transaction)
        }
    }

    @Test(arguments: [
        ("access_denied", SignInError.Code.accessDenied, 403), ("user_cancelled_login", .accessDenied, 403),
        ("login_required", .interactionRequired, 403),
        ("temporarily_unavailable", .providerUnavailable, 502), ("server_error", .providerError, 502), ("<script>", .providerError, 502),
    ])
    func `RFC 6749 4.1.2.1: an error answer ends the sign-in, and its text goes nowhere`(error: String, code: SignInError.Code, status: Int)
        async
    {
        let (transaction, cookie) = self.begin(oidcSettings())
        let query = "error=\(FormCoding.queryComponent(error))&error_description=%3Cscript%3E&state=\(transaction.state)"
        let refusal = await self.refusal(query, cookies: [cookie])
        #expect(refusal?.code == code)
        #expect(refusal?.status == status)
        #expect(refusal.map { "\($0)".contains("<script>") } == false)
        #expect(refusal?.providerCode == (error.hasPrefix("<") ? nil : error))
        #expect(await self.refusal("code=c&state=\(transaction.state)", cookies: [cookie])?.code == .loginExpired)
    }

    @Test func `RFC 6749 4.1.2.1: code and error together are an error`() async {
        let (transaction, cookie) = self.begin(oidcSettings())
        #expect(await self.refusal("code=c&error=access_denied&state=\(transaction.state)", cookies: [cookie])?.code == .accessDenied)
    }

    @Test func `neither code nor error is refused`() async {
        let (transaction, cookie) = self.begin(oidcSettings())
        #expect(await self.refusal("code=&state=\(transaction.state)", cookies: [cookie])?.code == .invalidRequest)
    }

    @Test(arguments: [
        "https://id.example/", "https://ID.example", "https://id.example1", "https%3A%2F%2Fid.example%2F", "http://id.example", "x",
        "https://id.example%20", "https://id.ex%C3%A4mple",
    ])
    func `RFC 9207 2.4: an iss that is not the issuer byte for byte is refused, on errors too`(issuer: String) async {
        for answer in ["code=c", "error=access_denied"] {
            let (transaction, cookie) = self.begin(oidcSettings())
            let query = "\(answer)&iss=\(issuer)&state=\(transaction.state)"
            let error = await self.refusal(query, cookies: [cookie])
            #expect(error?.code == .invalidIssuer)
            #expect(error?.status == 400)
        }
    }

    @Test func `RFC 9207 2.4: the issuer itself passes, and is mandatory once promised, on errors too`() async throws {
        let first = self.begin(oidcSettings())
        _ = try await self.verify(
            "code=c&iss=https%3A%2F%2Fid.example&state=\(first.transaction.state)", cookies: [first.cookie], mandatory: true)
        for answer in ["code=c", "error=access_denied", "code=c&iss="] {
            let (transaction, cookie) = self.begin(oidcSettings())
            #expect(await self.refusal("\(answer)&state=\(transaction.state)", cookies: [cookie], mandatory: true)?.code == .invalidIssuer)
        }
    }

    @Test func `RFC 9207: github's own name passes, another does not`() async throws {
        let settings = oauth2Settings()
        for issuer in ["https://github.com/login/oauth", "https://github.com"] {
            let (transaction, cookie) = self.begin(settings)
            _ = try await self.verify("code=c&iss=\(issuer)&state=\(transaction.state)", cookies: [cookie], settings: settings)
        }
        let (transaction, cookie) = self.begin(settings)
        #expect(
            await self.refusal("code=c&iss=https://gitlab.com&state=\(transaction.state)", cookies: [cookie], settings: settings)?.code
                == .invalidIssuer)
    }
}

@Suite struct JunkTests {
    private var generator = SeededGenerator(fixed: 7)

    private mutating func bytes(_ limit: Int) -> [UInt8] {
        (0..<Int(self.generator.next() % UInt64(limit))).map { _ in UInt8(truncatingIfNeeded: self.generator.next()) }
    }

    @Test mutating func `a thousand junk transaction cookies, tokens and answers pass nowhere and crash nothing`() async throws {
        let transactions = makeTransactions()
        let id = LoginID(now: epoch)
        let verifier = try #require(IDTokenVerifier(settings: oidcSettings(), algorithms: [.rs256, .es256]))
        for _ in 0..<1000 {
            let junk = self.bytes(400)
            let text = Base64URL.encode(junk)
            guard case .unknown = try await transactions.lookup(state: id.text + ".x", cookies: [(cookies.name(for: id), text)], now: epoch)
            else {
                Issue.record("a junk cookie opened")
                return
            }
            let third = text.count / 3
            let token = "\(text.prefix(third)).\(text.dropFirst(third).prefix(third)).\(text.suffix(third))"
            #expect(throws: IDTokenRefusal.self) {
                try verifier.verify(token, keys: .empty, expecting: .init(nonce: "n", accessToken: nil), now: epoch)
            }
            let answer = ProviderAnswer(status: 200, contentType: "application/json", body: junk)
            #expect(throws: TokenResponse.Refusal.self) { try TokenResponse(answer, kind: .oidc) }
            let form = ProviderAnswer(status: 200, contentType: "application/x-www-form-urlencoded", body: junk)
            #expect(throws: TokenResponse.Refusal.self) { try TokenResponse(form, kind: .oauth2) }
            #expect(throws: UserinfoResponse.Refusal.self) { try UserinfoResponse(oauth2: answer) }
        }
    }
}
