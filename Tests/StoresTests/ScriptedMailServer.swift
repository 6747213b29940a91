import Glibc
import Synchronization

/// A mail server on loopback without TLS, for one connection after the other. Its answers are those of a test.
final class ScriptedMailServer: Sendable {
    struct Conversation: Sendable {
        /// The client's lines, without those of the mail.
        var commands: [String] = []
        /// The mail, as it was sent.
        var mail: [UInt8] = []
    }

    /// The answer to a line, which may be several lines; nil ends the connection. `.` is the end of the mail.
    typealias Script = @Sendable (String) -> String?

    let port: Int
    private let listener: CInt
    private let conversations = Mutex<[Conversation]>([])

    static let plain: Script = { line in
        switch line.split(separator: " ").first?.uppercased() {
        case "EHLO": "250-test\r\n250 8BITMIME\r\n"
        case "DATA": "354 go on\r\n"
        case "QUIT": "221 bye\r\n"
        default: "250 OK\r\n"
        }
    }

    init(greeting: String = "220 test ESMTP\r\n", script: @escaping Script = plain) {
        listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        precondition(isBound)
        port = Int(UInt16(bigEndian: address.sin_port))
        let thread = Thread { [self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                serve(connection, greeting, script)
                close(connection)
            }
        }
        thread.start()
    }

    var all: [Conversation] { conversations.withLock { $0 } }
    var last: Conversation { all.last ?? Conversation() }

    /// Ends the thread that accepts.
    func stop() {
        shutdown(listener, CInt(SHUT_RDWR))
        close(listener)
    }

    private func serve(_ connection: CInt, _ greeting: String, _ script: Script) {
        // A test that fails ends nevertheless.
        var limit = timeval(tv_sec: 300, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        conversations.withLock { $0.append(Conversation()) }
        guard say(greeting, to: connection) else { return }
        var pending: [UInt8] = []
        var isMail = false
        while let line = nextLine(connection, &pending) {
            let text = String(decoding: line, as: UTF8.self)
            if isMail, text != "." {
                conversations.withLock { $0[$0.count - 1].mail += line + [0x0D, 0x0A] }
                continue
            }
            isMail = false
            conversations.withLock { $0[$0.count - 1].commands.append(text) }
            guard let answer = script(text), say(answer, to: connection) else { return }
            isMail = text == "DATA" && answer.hasPrefix("354")
        }
    }

    private func say(_ text: String, to connection: CInt) -> Bool {
        let bytes = Array(text.utf8)
        return send(connection, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count
    }

    /// Nil at the end. Lines end with CRLF.
    private func nextLine(_ connection: CInt, _ pending: inout [UInt8]) -> [UInt8]? {
        while true {
            if let end = pending.firstIndex(of: 0x0A) {
                let line = Array(pending[..<end].dropLast(pending[..<end].last == 0x0D ? 1 : 0))
                pending.removeFirst(end + 1)
                return line
            }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            pending += buffer.prefix(count)
        }
    }
}

/// A detached POSIX thread.
private final class Thread: Sendable {
    private let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func start() {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self).toOpaque()
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Thread>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, context)
        precondition(code == 0)
        pthread_detach(thread)
    }
}
