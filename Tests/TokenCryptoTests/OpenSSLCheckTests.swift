import Testing
import TokenCrypto

@Suite struct OpenSSLCheckTests {
    /// What a machine without them is told stands in Tests/e2e/test_commands.py: OpenSSL reads its configuration once for a process.
    @Test func `this machine's OpenSSL has what is needed`() {
        #expect(OpenSSLCheck.problem() == nil)
    }
}
