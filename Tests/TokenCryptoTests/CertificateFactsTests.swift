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
}
