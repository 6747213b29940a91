import NIOCore
import NIOSSL
import Testing

@testable import Exchanges

@Suite("Reasons of TLS failures")
struct TLSFailureReasonTests {
    @Test("the library's name for an error is found in its description")
    func names() {
        let text = "sslError([Error: 268435581 error:1000007d:SSL routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED at /a.c:1])"
        #expect(TLSFailureReason.libraryName(in: text) == "CERTIFICATE_VERIFY_FAILED")
        #expect(TLSFailureReason.libraryName(in: "OPENSSL_internal:A, B") == "A")
        #expect(TLSFailureReason.libraryName(in: "something else").isEmpty)
    }

    @Test(
        "no reason holds a path of the library's source",
        arguments: [
            NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])), NIOSSLError.uncleanShutdown, BoringSSLError.zeroReturn,
            NIOSSLExtraError.failedToValidateHostname, IOError(errnoCode: 104, reason: "recv"), ChannelError.eof,
        ] as [any Error])
    func paths(error: any Error) {
        let code = TLSFailureReason.code(of: error)
        #expect(["connection-closed", "certificate-name"].contains(code))
    }

    @Test("a certificate that cannot be read has a reason without a path")
    func certificates() {
        #expect(throws: (any Error).self) {
            do {
                _ = try NIOSSLCertificate.fromPEMBytes(Array("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8))
            } catch {
                let code = TLSFailureReason.code(of: error)
                #expect(!code.contains("/") && !code.contains(".cc"))
                throw error
            }
        }
    }
}
