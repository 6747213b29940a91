import Glibc
import NIOCore
import Server
import Transport

/// The purpose of a listener.
enum ListenerRole {
    case `public`, admin

    /// The configuration key that holds its addresses.
    var key: String {
        switch self {
        case .public: "server.listen"
        case .admin: "admin.listen"
        }
    }
}

/// Explains why an address cannot be listened on: the address, its configuration key, the cause and the remedy.
enum BindProblem {
    static func text(_ address: Listener.Address, _ role: ListenerRole, _ error: any Error) -> String {
        let key = role.key
        let cause = SystemError.text(error).map { ": " + $0 } ?? ""
        return "cannot listen on \(address) (`\(key)`)\(cause); \(remedy(for: address, key, error))"
    }

    static func text(inherited descriptor: CInt, _ error: any Error) -> String {
        let cause = SystemError.text(error).map { ": " + $0 } ?? ""
        return "cannot listen on descriptor \(descriptor) of the service manager\(cause); check the socket unit"
    }

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
