import Backchannel
import Logging
import NIOPosix
import NIOSSL
import Providers
import Sessions
import SignIn
import Testing
import TokenCrypto

/// A certificate of nobody's for `localhost` and `127.0.0.1`, and its key: for these tests alone, good for a hundred years.
enum Untrusted {
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBmzCCAUGgAwIBAgIUC6iGwgeffegSHwJXRTQln3rkp1IwCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE2MDUwM1oYDzIxMjYxMDI4
        MTYwNTAzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAARbCpLvPh5FzhYhp35inbYsfEjW5Qig1k7/+tyxaQb+IxUpj8+5sM/M
        FHOI/Obajj7JixOxqr7FzGLwZIlcOHsUo28wbTAdBgNVHQ4EFgQUml054bcFT1VQ
        s7QDgVebuq32MIswHwYDVR0jBBgwFoAUml054bcFT1VQs7QDgVebuq32MIswDwYD
        VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
        zj0EAwIDSAAwRQIgMJfCdl+iVRcF8MDsf79uy4O3XbJ4Yrg+bFsIWdR6CwwCIQCM
        lDJ5gxFxz8R0AjnklEie7/Tk2+Q3A6CD0beUVDNLyQ==
        -----END CERTIFICATE-----
        """
    static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgdFYUrnFVvbPIzf85
        0tp+b6TjtJAt/EaPFJ0GYijjL5uhRANCAARbCpLvPh5FzhYhp35inbYsfEjW5Qig
        1k7/+tyxaQb+IxUpj8+5sM/MFHOI/Obajj7JixOxqr7FzGLwZIlcOHsU
        -----END PRIVATE KEY-----
        """

    static func context() throws -> NIOSSLContext {
        let certificate = try NIOSSLCertificate(bytes: Array(certificate.utf8), format: .pem)
        let key = try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(certificateChain: [.certificate(certificate)], privateKey: .privateKey(key)))
    }
}

@Suite struct TransportSecurityTests {
    /// What the client says about a provider at `https://{host}:{port}` that has the certificate above.
    private func reason(host: String, trusting roots: [NIOSSLCertificate]) async throws -> String {
        let server = try await ScriptedServer(tls: Untrusted.context())
        let transport = ProviderTransport(
            group: MultiThreadedEventLoopGroup.singleton, timeout: .seconds(600), additionalTrustRoots: roots)
        let preset = try #require(ProviderCatalogue.preset(for: "oidc.acme"))
        let issuer = server.origin.replacing("127.0.0.1", with: host)
        let client = ProviderClient(
            settings: ProviderSettings(
                id: "oidc.acme", preset: preset, site: .init(issuer: issuer), clientID: "c", redirectBase: "http://127.0.0.1:4180/_gateway"),
            transactions: LoginTransactions(
                ring: SealingKeyRing(keys: [[UInt8](repeating: 1, count: 32)], purpose: "login"),
                cookies: LoginCookies(HostCookies(name: "session", secure: false)), store: emptyStore()),
            transport: transport, logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }), now: { 0 })
        let error = try await #require(throws: SignInError.self) { try await client.beginLogin(returnPath: "/") }
        let asked = server.requests(to: "/.well-known/openid-configuration").count
        await server.stop()
        try await transport.shutdown()
        #expect(error.status == 502)
        return "\(asked): \(error.reason)"
    }

    @Test func `RFC 6750 5.2: a certificate that nobody vouches for is refused, and nothing is asked`() async throws {
        #expect(try await self.reason(host: "127.0.0.1", trusting: []).hasPrefix("0: discovery: no connection: "))
    }

    @Test func `RFC 6750 5.2: a trusted certificate of another name is refused, and nothing is asked`() async throws {
        let root = try NIOSSLCertificate(bytes: Array(Untrusted.certificate.utf8), format: .pem)
        #expect(try await self.reason(host: "gateway.localhost", trusting: [root]).hasPrefix("0: discovery: no connection: "))
        // With the right name the connection stands, and the refusal is about the answer.
        #expect(try await self.reason(host: "127.0.0.1", trusting: [root]).hasSuffix("answered with status 404"))
    }
}
