import Primitives
import Providers
import Sessions
import SignIn
import Testing
import TokenCrypto

@Suite struct LoginTransactionTests {
    private func transaction(returnPath: String = "/a?b=c", now: Int64 = epoch) -> LoginTransaction {
        LoginTransaction(
            provider: "oidc.acme", issuer: "https://id.example", usesNonce: true, returnPath: returnPath,
            redirectURI: "https://app.example/cb",
            requestedACR: ["gold"], maxAge: MaxAge(seconds: 60), now: now)
    }

    @Test func `a sealed transaction opens to itself under its own name alone`() throws {
        let transaction = self.transaction()
        let name = cookies.name(for: transaction.id)
        let sealed = transaction.sealed(with: ring, cookieName: name)
        #expect(LoginTransaction(sealed: sealed, with: ring, cookieName: name) == transaction)
        #expect(LoginTransaction(sealed: sealed, with: ring, cookieName: cookies.name(for: self.transaction().id)) == nil)
        let otherPurpose = SealingKeyRing(keys: [[UInt8](repeating: 7, count: 32)], purpose: "session")
        #expect(LoginTransaction(sealed: sealed, with: otherPurpose, cookieName: name) == nil)
        #expect(!sealed.contains(transaction.verifier))
    }

    @Test(arguments: ["", "x", "AAAA", String(repeating: "A", count: 100), String(repeating: "A", count: 5000), "ä", "a=b"])
    func `junk is no transaction`(text: String) {
        #expect(LoginTransaction(sealed: text, with: ring, cookieName: "c") == nil)
    }

    @Test(arguments: [
        ("m", JSONValue.integer(.max)), ("m", .integer(-1)), ("m", .integer(MaxAge.longest + 1)), ("m", .string("60")),
        ("m", .number(1e300)),
        ("t", .integer(.max)), ("t", .integer(.min)), ("t", .integer(-1)), ("t", .integer(253_402_300_800_000)), ("t", .null),
    ])
    func `A number that an older build sealed is refused when it is out of range`(member: String, value: JSONValue) throws {
        let transaction = self.transaction()
        let name = cookies.name(for: transaction.id)
        let sealed = try #require(Base64URL.decode(transaction.sealed(with: ring, cookieName: name)))
        let opened = try #require(ring.open(sealed, associatedData: Array(name.utf8)))
        var members = try #require(try JSONValue(parsing: opened).object)
        func resealed() -> String {
            Base64URL.encode(ring.seal(JSONValue.object(members).serializedBytes(), associatedData: Array(name.utf8)))
        }
        #expect(LoginTransaction(sealed: resealed(), with: ring, cookieName: name) == transaction)
        members[member] = value
        #expect(LoginTransaction(sealed: resealed(), with: ring, cookieName: name) == nil)
    }

    @Test func `every changed byte is refused`() throws {
        let transaction = self.transaction()
        let name = cookies.name(for: transaction.id)
        let bytes = try #require(Base64URL.decode(transaction.sealed(with: ring, cookieName: name)))
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            #expect(LoginTransaction(sealed: Base64URL.encode(changed), with: ring, cookieName: name) == nil)
        }
    }

    @Test func `RFC 7636 4.1 and 7.1: verifiers are 43 unreserved characters and never repeat`() {
        var seen = Set<String>()
        let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        for _ in 0..<2000 {
            let transaction = self.transaction()
            #expect(transaction.verifier.count == 43)
            #expect(transaction.verifier.allSatisfy(unreserved.contains))
            #expect(transaction.state.count >= 22 && transaction.nonce.map { $0.count >= 43 && SignInNonce.marks($0) } == true)
            for secret in [transaction.verifier, transaction.state, transaction.nonce ?? ""] { #expect(seen.insert(secret).inserted) }
        }
    }

    @Test func `RFC 7636 4.2: the challenge is the unpadded base64url of the verifier's SHA-256`() {
        let transaction = self.transaction()
        #expect(transaction.challenge == Base64URL.encode(SHA2.sha256(Array(transaction.verifier.utf8))))
        #expect(transaction.challenge.count == 43)
    }

    @Test(arguments: [(Int64(0), false), (599_999, false), (600_000, true), (-60_000, false), (-60_001, true)])
    func `a transaction lives ten minutes`(age: Int64, isExpired: Bool) {
        #expect(self.transaction().isExpired(now: epoch + age) == isExpired)
    }

    @Test func `eight transactions with the longest return paths fit the request head`() {
        let transaction = self.transaction(returnPath: "/" + String(repeating: "x", count: 1535))
        let sealed = transaction.sealed(with: ring, cookieName: cookies.name(for: transaction.id))
        #expect(transaction.returnPath.utf8.count == 1536)
        #expect(sealed.utf8.count * LoginCookies.maximum < 28 * 1024)
        #expect(self.transaction(returnPath: "/" + String(repeating: "x", count: 1536)).returnPath == "/")
    }

    @Test func `ids carry their time and sort by it`() throws {
        let early = LoginID(now: epoch), late = LoginID(now: epoch + 1000)
        #expect(early.text < late.text)
        #expect(early.createdAt == epoch)
        #expect(LoginID(parsing: early.text) == early)
        #expect(LoginID(state: early.text + ".x") == early)
        for junk in ["", early.text + "0", String(early.text.dropLast()), early.text.uppercased(), early.text.dropLast() + "w"] {
            #expect(LoginID(parsing: junk) == nil)
        }
        #expect(LoginID(state: early.text) == nil)
    }
}
