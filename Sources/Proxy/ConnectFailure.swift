import NIOCore
import Transport

/// The reason why a connection to an upstream could not be opened.
struct ConnectFailure: Error, Sendable, Equatable {
    var reason: UpstreamFailure
    /// The cause with the address, for logs.
    var detail: String

    init(_ reason: UpstreamFailure, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }

    /// The resolver found no address of a host.
    init(unresolved host: String, _ error: String? = nil) {
        self.init(.nameUnresolved, error.map { "\(host): \($0)" } ?? host)
    }

    /// The system's error for one address.
    init(_ error: any Error, at address: SocketAddress, within milliseconds: Int64) {
        let target = address.text ?? "the address"
        if case .connectTimeout? = error as? ChannelError {
            self.init(.connectTimeout, "\(target): no connection within \(milliseconds) ms")
        } else {
            self.init(.connectFailed, "\(target): \(SystemError.text(error) ?? "\(type(of: error))")")
        }
    }
}
