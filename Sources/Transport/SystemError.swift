import CSockets
import Glibc
package import NIOCore

/// Names errors of the system for logs and reports.
package enum SystemError {
    /// The symbol and its description: `ECONNREFUSED (Connection refused)`.
    package static func text(_ code: CInt) -> String {
        let description = String(cString: strerror(code))
        guard let symbol = strerrorname_np(code) else { return "error \(code) (\(description))" }
        return "\(String(cString: symbol)) (\(description))"
    }

    /// The same for an error of a socket; nil for an error that is not the system's.
    package static func text(_ error: any Error) -> String? { (error as? IOError).map { text($0.errnoCode) } }
}

extension SocketAddress {
    /// `192.0.2.1:80`, `[2001:db8::1]:80` or `unix:/run/app.sock`; nil for an address without any of these.
    package var text: String? {
        if let path = pathname, !path.isEmpty { return "unix:\(path)" }
        guard let ip = ipAddress, let port else { return nil }
        return ip.contains(":") ? "[\(ip)]:\(port)" : "\(ip):\(port)"
    }
}
