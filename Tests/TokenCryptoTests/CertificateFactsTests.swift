import Primitives
import Testing
import TokenCrypto

@Suite("Facts of certificates")
struct CertificateFactsTests {
    private func pem(_ name: String) -> [UInt8] { Array((ExampleCertificates.files[name] ?? name).utf8) }

    @Test func `Names and dates are read from the first certificate`() throws {
        let facts = try CertificateFacts(chain: pem("app.crt") + pem("expired.crt"))
        #expect(facts.names == ["app.example.com", "*.apps.example.com", "192.0.2.7", "2001:db8::1"])
        #expect(facts.notBefore == 1_704_067_200_000)
        #expect(facts.notAfter == 4_859_740_800_000)
    }

    @Test(
        "A key is the certificate's, or it is said what is wrong",
        arguments: [
            ("app.key", nil), ("other.key", .keyDoesNotMatch), ("locked.key", .keyIsEncrypted), ("app.crt", .noKey), ("nonsense", .noKey),
            ("", .noKey), ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", .noKey),
        ] as [(String, CertificateFacts.Failure?)])
    func keys(key: String, expected: CertificateFacts.Failure?) throws {
        let facts = try CertificateFacts(chain: pem("app.crt"))
        var found: CertificateFacts.Failure?
        do throws(CertificateFacts.Failure) { try facts.check(key: pem(key)) } catch { found = error }
        #expect(found == expected)
    }

    @Test(
        "What is no certificate is refused",
        arguments: ["", "hello", "app.key", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func nonsense(text: String) {
        #expect(throws: CertificateFacts.Failure.noCertificate) { _ = try CertificateFacts(chain: pem(text)) }
    }

    private static let client =
        "MIIB1DCCAXmgAwIBAgIULW58at6AZJiwD6hdM7xV2jrt/vMwCgYIKoZIzj0EAwIwMTELMAkGA1UEBhMCREUxEzARBgNVBAoMCkFj"
        + "bWUsIEluYy4xDTALBgNVBAMMBFpvw6swIBcNMjYxMTI2MTQ0MDQ1WhgPMjEyNjExMDIxNDQwNDVaMDExCzAJBgNVBAYTAkRFMRMw"
        + "EQYDVQQKDApBY21lLCBJbmMuMQ0wCwYDVQQDDARab8OrMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEn7HSPEca3RZesGVFn5vK"
        + "oOcxk0pwFAf/puf9qZLoQXauF2MXvhyR2jNHtjI/ll796a0rMrrf9XWXSukwfCEVrKNtMGswSgYDVR0RBEMwQYIRcm9ib3QuZXhh"
        + "bXBsZS5jb22GE3NwaWZmZTovL2FjbWUvcm9ib3SBEXJvYm90QGV4YW1wbGUuY29thwTAAAIHMB0GA1UdDgQWBBQf4JkaWzjjcvcL"
        + "m0dB/p4p/fH/FDAKBggqhkjOPQQDAgNJADBGAiEA6LbuejA+xQIfM7/H6PPuAYLLTliz876igFof7TZEwNQCIQDWO0HdmAIxTjK1"
        + "F5G8Gkf6Yokv+sZg9v71aT0/QRWgfw=="

    @Test("A client's certificate: subject as RFC 4514 writes it, all names, fingerprint")
    func client() throws {
        let der = try #require(Base64.decodeAny(Self.client))
        let facts = try #require(ClientCertificateFacts(der: der))
        #expect(facts.subject == "CN=Zoë,O=Acme\\, Inc.,C=DE")
        #expect(facts.names == ["robot.example.com", "spiffe://acme/robot", "robot@example.com", "192.0.2.7"])
        #expect(facts.fingerprint == "ae7138a9fd702ca1734bcd674b6c08d79c0eb78d03b1516c0af7401d4244fa1a")
        for count in stride(from: 0, to: der.count, by: 7) { #expect(ClientCertificateFacts(der: Array(der[..<count])) == nil) }
    }
}
