import Glibc

/// The service manager's sockets and notifications: the protocols of sd_notify(3) and sd_listen_fds(3),
/// spoken without its library.
package struct ServiceManager: Sendable {
    /// A listening socket that was handed over.
    package struct InheritedSocket: Sendable, Equatable {
        package var descriptor: CInt
        /// `FileDescriptorName=` of the socket unit; empty when it says nothing.
        package var name: String
    }

    private let notifySocket: String?
    /// Microseconds after which the manager takes silence for a hang; nil: it does not watch.
    package let watchdogMicroseconds: UInt64?
    package let sockets: [InheritedSocket]

    /// `SD_LISTEN_FDS_START` of sd_listen_fds(3).
    private static let firstDescriptor: CInt = 3
    private static let mostSockets = 64

    /// `variable`: of the environment. `process`: our id; what is meant for another process does not count.
    package init(variable: (String) -> String?, process: CInt) {
        notifySocket = variable("NOTIFY_SOCKET").flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
        let isWatched = variable("WATCHDOG_PID").map { $0 == String(process) } ?? true
        watchdogMicroseconds = isWatched ? variable("WATCHDOG_USEC").flatMap { UInt64($0) }.flatMap { $0 > 0 ? $0 : nil } : nil
        var sockets: [InheritedSocket] = []
        if variable("LISTEN_PID") == String(process), let count = variable("LISTEN_FDS").flatMap({ Int($0) }),
            (1...Self.mostSockets).contains(count)
        {
            let names = (variable("LISTEN_FDNAMES") ?? "").split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            for index in 0..<count {
                sockets.append(
                    InheritedSocket(descriptor: Self.firstDescriptor + CInt(index), name: index < names.count ? names[index] : ""))
            }
        }
        self.sockets = sockets
    }

    /// No service manager: no notifications, no inherited sockets.
    package static let none = ServiceManager(variable: { _ in nil }, process: 0)

    /// The one that started this process, if any. Its variables are taken away from the environment, so that no child believes them.
    package static func inherited() -> ServiceManager {
        let manager = ServiceManager(variable: { getenv($0).map { String(cString: $0) } }, process: getpid())
        for name in ["NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
        for socket in manager.sockets { _ = fcntl(socket.descriptor, F_SETFD, FD_CLOEXEC) }
        return manager
    }

    /// The state in a sentence, for `systemctl status`.
    package func status(_ text: String) { send("STATUS=" + text.replacing("\n", with: " ")) }
    package func ready(_ status: String) { send("READY=1\nSTATUS=" + status.replacing("\n", with: " ")) }
    package func stopping() { send("STOPPING=1\nSTATUS=finishing the requests in flight") }
    package func alive() { send("WATCHDOG=1") }

    /// `Type=notify-reload` wants the moment at which the reload began; `ready` ends it.
    package func reloading() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        send("RELOADING=1\nMONOTONIC_USEC=\(time.tv_sec * 1_000_000 + time.tv_nsec / 1_000)\nSTATUS=reading the configuration again")
    }

    /// One datagram. A manager that is not there is not missed.
    private func send(_ message: String) {
        guard let notifySocket else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var path = Array(notifySocket.utf8)
        let isAbstract = path.first == UInt8(ascii: "@")
        if isAbstract { path[0] = 0 }
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard path.count < room else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // The name of an abstract socket ends where its length says; that of a file has a null behind it.
        let length = MemoryLayout<sa_family_t>.size + path.count + (isAbstract ? 0 : 1)
        let bytes = Array(message.utf8)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { target in
                _ = sendto(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL), target, socklen_t(length))
            }
        }
    }
}
