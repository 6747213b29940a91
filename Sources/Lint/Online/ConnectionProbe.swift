package import Config
import Dispatch
import Glibc
import Synchronization

/// Checks whether an address accepts connections. Sends nothing.
package enum ConnectionProbe {
    /// Returns why the connection failed; nil on success.
    ///
    /// Returns after at most `limit`, even if the resolver takes longer.
    package static func failure(at address: ListenAddress, limit: Duration) async -> String? {
        let milliseconds = Int32(clamping: limit.components.seconds * 1000 + limit.components.attoseconds / 1_000_000_000_000_000)
        return await withCheckedContinuation { continuation in
            let answer = FirstAnswer(continuation)
            DispatchQueue.global().async { answer.give(attempt(address, milliseconds)) }
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(milliseconds))) {
                answer.give("no response within \(milliseconds / 1000) s")
            }
        }
    }

    /// Keeps the first of two answers.
    private final class FirstAnswer: Sendable {
        private let continuation: Mutex<CheckedContinuation<String?, Never>?>

        init(_ continuation: CheckedContinuation<String?, Never>) { self.continuation = Mutex(continuation) }

        func give(_ answer: String?) {
            let waiting = continuation.withLock { continuation in
                defer { continuation = nil }
                return continuation
            }
            waiting?.resume(returning: answer)
        }
    }

    private static func attempt(_ address: ListenAddress, _ milliseconds: Int32) -> String? {
        switch address {
        case .unix(let path): return unix(path, milliseconds)
        case .tcp(let host, let port):
            return tcp(host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host, port, milliseconds)
        }
    }

    private static func tcp(_ host: String, _ port: Int, _ milliseconds: Int32) -> String? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &list)
        guard status == 0 else { return "the name cannot be resolved: \(String(cString: gai_strerror(status)).lowercased())" }
        defer { freeaddrinfo(list) }
        var reason = "the name has no address"
        var next = list
        while let info = next?.pointee {
            guard let failure = connected(info.ai_family, info.ai_addr, info.ai_addrlen, milliseconds) else { return nil }
            reason = failure
            next = info.ai_next
        }
        return reason
    }

    private static func unix(_ path: String, _ milliseconds: Int32) -> String? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return "the path is too long" }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connected(AF_UNIX, $0, socklen_t(MemoryLayout<sockaddr_un>.size), milliseconds)
            }
        }
    }

    private static func connected(
        _ family: Int32, _ address: UnsafePointer<sockaddr>?, _ length: socklen_t, _ milliseconds: Int32
    ) -> String? {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return words(errno) }
        defer { close(descriptor) }
        if connect(descriptor, address, length) == 0 { return nil }
        guard errno == EINPROGRESS else { return words(errno) }
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&waiting, 1, milliseconds) > 0 else { return words(ETIMEDOUT) }
        var problem: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &problem, &size)
        return problem == 0 ? nil : words(problem)
    }

    private static func words(_ number: Int32) -> String {
        switch number {
        case ECONNREFUSED: "connection refused"
        case ETIMEDOUT: "no response"
        case ENOENT: "no such socket"
        case EHOSTUNREACH, ENETUNREACH: "no route to host"
        default: String(cString: strerror(number)).lowercased()
        }
    }
}
