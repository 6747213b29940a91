import Exchanges
import Glibc
import NIOCore
package import Server
import Transport

/// The purpose of a listener.
package enum ListenerRole {
    case `public`, admin, authorization

    /// The configuration key that holds its addresses.
    package var key: String {
        switch self {
        case .public: "server.listen"
        case .admin: "admin.listen"
        case .authorization: "authorization.listen"
        }
    }
}

/// The reason why an address cannot be listened on.
package struct BindProblem: Sendable, CustomStringConvertible {
    private let address: String
    /// Nil for a socket of the service manager.
    private let key: String?
    private let cause: String
    private let remedy: String

    package init(_ address: Listener.Address, _ role: ListenerRole, _ error: any Error) {
        self.address = address.description
        key = role.key
        cause = Self.cause(of: error)
        remedy = Self.remedy(for: address, role.key, error)
    }

    package init(inherited descriptor: CInt, _ error: any Error) {
        address = "descriptor \(descriptor) of the service manager"
        key = nil
        cause = Self.cause(of: error)
        remedy = "check the socket unit"
    }

    /// The address and the cause, for addresses that no configuration file holds.
    package var summary: String { "cannot listen on \(address)\(cause)" }

    /// The address with its configuration key, the cause and the remedy.
    package var description: String { "cannot listen on \(address)\(key.map { " (`\($0)`)" } ?? "")\(cause); \(remedy)" }

    private static func cause(of error: any Error) -> String { SystemError.text(error).map { ": " + $0 } ?? "" }

    private static func remedy(for address: Listener.Address, _ key: String, _ error: any Error) -> String {
        switch ((error as? IOError)?.errnoCode, address) {
        case (EADDRINUSE, .tcp(_, let port)):
            "another process listens there: stop it (`ss -ltnp 'sport = :\(port)'` shows it), or set `\(key)` to a free port"
        case (EACCES, .tcp(_, 1..<1_024)): "grant CAP_NET_BIND_SERVICE, or set `\(key)` to a port from 1024"
        case (EADDRNOTAVAIL, _): "this machine has no such address: set `\(key)` to one of its own, or to `:PORT` for all"
        default: "set `\(key)` to an address that this process may use"
        }
    }
}
