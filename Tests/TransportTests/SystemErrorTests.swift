import Glibc
import NIOCore
import Testing

@testable import Transport

@Suite("Errors of the system in logs")
struct SystemErrorTests {
    @Test("an error has its symbol and its description")
    func symbols() {
        #expect(SystemError.text(ECONNREFUSED) == "ECONNREFUSED (Connection refused)")
        #expect(SystemError.text(IOError(errnoCode: ENOENT, reason: "connect")) == "ENOENT (No such file or directory)")
        #expect(SystemError.text(99_999) == "error 99999 (Unknown error 99999)")
        #expect(SystemError.text(ChannelError.eof) == nil)
    }

    @Test("an address is written as in the configuration")
    func addresses() throws {
        #expect(try SocketAddress(ipAddress: "192.0.2.1", port: 80).text == "192.0.2.1:80")
        #expect(try SocketAddress(ipAddress: "2001:db8::1", port: 80).text == "[2001:db8::1]:80")
        #expect(try SocketAddress(unixDomainSocketPath: "/run/app.sock").text == "unix:/run/app.sock")
    }
}
