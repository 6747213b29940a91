import Sessions
import SignIn
import Testing

@Suite struct LoginCookiesTests {
    private func name(secondsAgo: Int64) -> String { cookies.name(for: LoginID(now: epoch - secondsAgo * 1000)) }

    @Test func `a sign-in's cookie has the session's prefix, is HttpOnly, Lax and short-lived`() {
        #expect(
            cookies.line(name: "__Host-session-login-x", value: "v", forFormPost: false)
                == "__Host-session-login-x=v; Path=/; Max-Age=600; Secure; HttpOnly; SameSite=Lax")
        let plain = LoginCookies(HostCookies(name: "session", secure: false))
        #expect(plain.line(name: "n", value: "v", forFormPost: false) == "n=v; Path=/; Max-Age=600; HttpOnly; SameSite=Lax")
    }

    @Test func `Form Post: the cookie of a cross-site POST is None and Secure, http or not`() {
        let plain = LoginCookies(HostCookies(name: "session", secure: false))
        for cookies in [cookies, plain] {
            #expect(cookies.line(name: "n", value: "v", forFormPost: true) == "n=v; Path=/; Max-Age=600; Secure; HttpOnly; SameSite=None")
        }
    }

    @Test func `a deletion has the same name, path and prefix attributes`() {
        #expect(cookies.deletion(name: "n") == "n=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax")
    }

    @Test func `seven live sign-ins leave room for one more, the eighth makes the oldest go`() {
        let seven = (1...7).map { self.name(secondsAgo: Int64($0)) }
        #expect(cookies.evictions(existingNames: seven, now: epoch).isEmpty)
        let oldest = self.name(secondsAgo: 90)
        #expect(cookies.evictions(existingNames: [oldest] + seven, now: epoch) == [oldest])
        let older = self.name(secondsAgo: 95)
        #expect(Set(cookies.evictions(existingNames: seven + [oldest, older], now: epoch)) == [oldest, older])
    }

    @Test func `what is malformed, over its time or from the future always goes, and other cookies never`() {
        let dead = [self.name(secondsAgo: 600), self.name(secondsAgo: -61), "__Host-session-login-", "__Host-session-login-..x"]
        let other = [
            "__Host-session", "__Host-session-2", "session-login-x", "theme", "__Host-session-login-/x", "__Host-session-login-a b",
            "__Host-session-login-\r\nx",
        ]
        #expect(Set(cookies.evictions(existingNames: dead + other, now: epoch)) == Set(dead))
    }

    @Test func `a hundred sign-ins in a row leave eight cookies`() {
        let transactions = makeTransactions()
        var jar: [String: String] = [:]
        for step in 0..<100 {
            let now = epoch + Int64(step) * 1000
            let transaction = LoginTransaction(
                provider: "p", issuer: nil, usesNonce: false, returnPath: "/", redirectURI: "https://app.example/cb", now: now)
            for line in transactions.setCookieLines(for: transaction, existingNames: jar.keys, forFormPost: false, now: now) {
                let (name, value) = cookie(of: line)
                jar[name] = line.contains("Max-Age=0") ? nil : value
            }
            #expect(jar.count <= 8)
            #expect(jar[cookies.name(for: transaction.id)] != nil)
        }
        #expect(jar.count == 8)
    }

    @Test func `state names its cookie`() {
        let id = LoginID(now: epoch)
        #expect(cookies.name(forState: id.text + ".secret") == "__Host-session-login-" + id.text)
        #expect(cookies.name(forState: "junk") == nil)
        #expect(cookies.owns("__Host-session-login-anything"))
        #expect(!cookies.owns("__Host-session"))
    }
}
