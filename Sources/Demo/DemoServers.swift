package import DevProvider
import Glibc
import Process
import Telemetry
package import TokenCrypto

package struct DevServerOptions: Sendable {
    package var port: Int
    package var control: Bool
    package var clientID: String
    package var clientSecret: String
    package var emulation: Emulation?
    package var clientKey: SigningKey?

    package init(port: Int, control: Bool, clientID: String, clientSecret: String) {
        self.port = port
        self.control = control
        self.clientID = clientID
        self.clientSecret = clientSecret
    }
}

/// The programs of the demo, served.
package enum DemoServers {
    /// The local provider with one client, for which any redirect URI at 127.0.0.1 is good.
    package static func provider(_ options: DevServerOptions) async throws -> ProgramServer {
        // The issuer names the port, so the port comes first.
        let port = options.port == 0 ? freePort() : options.port
        var client = DevClient(id: options.clientID, secret: options.clientSecret, redirectURIs: [])
        client.admitsLoopback = true
        var provider = DevProviderOptions(issuer: "http://127.0.0.1:\(port)", clients: [client])
        provider.controlEnabled = options.control
        provider.emulation = options.emulation
        provider.clientKey = options.clientKey
        let logic = DevProvider(provider)
        return try await ProgramServer(port: port) { logic.respond(to: $0, now: wallClock()) }
    }

    /// A port of 127.0.0.1 that is free at the moment.
    package static func freePort() -> Int {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        return isBound ? Int(UInt16(bigEndian: address.sin_port)) : 0
    }

    /// Returns at SIGTERM or SIGINT.
    package static func untilStopped() async {
        var signals = await StopSignals.sequence().makeAsyncIterator()
        _ = await signals.next()
    }
}
