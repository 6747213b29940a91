import Sessions
import Testing
import TokenCrypto

@Suite struct RedactionTests {
    /// Every way in which a value may end up in a log.
    private func printed(_ value: some Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        return "\(value) \(String(reflecting: value)) \(String(describing: [value])) " + dumped
    }

    @Test func `advisory 64: a session prints without its tokens`() {
        let tokens = Session.Tokens(accessToken: "canary-a", refreshToken: "canary-r", idToken: "canary-i")
        for text in [
            printed(tokens), printed(Example.session(tokens: tokens)), printed(Authentication.session(Example.session(tokens: tokens))),
        ] {
            #expect(!text.contains("canary") && text.contains("<redacted>"))
        }
    }

    @Test func `keys and tokens print as redacted, also inside what holds them`() {
        let key = SigningKey.generate(.es256)
        let compact = key.sign(payload: .object(["secret": .string("canary")]))
        let seal = SessionSeal(keys: Example.keys, cookieName: "session", publicURL: Example.publicURL)
        for text in [printed(key), printed(seal), printed(SealingKeyRing(keys: Example.keys, purpose: "x"))] {
            #expect(text.contains("<redacted>") && !text.contains("5, 5, 5") && !text.contains("key: ["))
        }
        let token = try? UnverifiedJWS(compact: compact)
        #expect(token.map { !printed($0).contains("canary") } ?? false)
    }
}
