import NIOCore
import Synchronization
import TokenCrypto
import Transport

/// A mail that the demo's gateway sent.
package struct CaughtMail: Sendable, Equatable {
    /// The recipient's address.
    package var recipient: String
    package var text: String
}

/// The mail server of the demo: it delivers nothing, and hands each mail to its owner.
///
/// Speaks as much of SMTP (RFC 5321) as the gateway's client needs.
final class MailCatcher: Sendable {
    private let group: SocketLoopGroup
    private let socket: any TransportListener
    let port: Int

    /// Binds a free port of 127.0.0.1.
    init(receive: @escaping @Sendable (CaughtMail) -> Void) async throws {
        group = try SocketLoopGroup(count: 1)
        socket = try await group.listen(
            .address(SocketAddress(ipAddress: "127.0.0.1", port: 0)), backlog: 16,
            options: ConnectionOptions(allowsHalfClosure: false, readsAtOnce: 1), onFailure: { _, _ in }
        ) { channel in
            try channel.pipeline.syncOperations.addHandler(MailConversation(receive))
        }
        port = socket.localAddress?.port ?? 0
    }

    func stop() async {
        try? await socket.close()
        try? await group.shutdownGracefully()
    }
}

/// One connection of the client.
private final class MailConversation: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let maximumBytes = 1 << 20
    private let receive: @Sendable (CaughtMail) -> Void
    private var unread: [UInt8] = []
    private var recipient = ""
    /// The lines of the mail that is being received; nil between mails.
    private var mail: [String]?

    init(_ receive: @escaping @Sendable (CaughtMail) -> Void) { self.receive = receive }

    func channelActive(context: ChannelHandlerContext) { reply("220 demo", context) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        unread += unwrapInboundIn(data).readableBytesView
        guard unread.count <= Self.maximumBytes else { return context.close(promise: nil) }
        while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
            let line = unread[..<end]
            let text = String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
            unread.removeSubrange(...end)
            if mail == nil { command(text, context) } else { content(text, context) }
        }
    }

    private func command(_ line: String, _ context: ChannelHandlerContext) {
        let verb = line.prefix { $0 != " " && $0 != ":" }.uppercased()
        switch verb {
        case "EHLO": reply("250-demo\r\n250-8BITMIME\r\n250 SMTPUTF8", context)
        case "RCPT":
            recipient = String(line.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" })
            reply("250 OK", context)
        case "DATA":
            mail = []
            reply("354 Go on", context)
        case "QUIT":
            reply("221 Bye", context)
            context.close(promise: nil)
        case "HELO", "MAIL", "RSET", "NOOP": reply("250 OK", context)
        default: reply("502 Not implemented", context)
        }
    }

    private func content(_ line: String, _ context: ChannelHandlerContext) {
        guard line == "." else {
            mail?.append(line.hasPrefix(".") ? String(line.dropFirst()) : line)
            return
        }
        receive(CaughtMail(recipient: recipient, text: MailReading.plainText(of: mail ?? [])))
        mail = nil
        reply("250 OK", context)
    }

    private func reply(_ text: String, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text + "\r\n")), promise: nil)
    }
}

/// Reads the mails that the gateway writes: two alternatives, both quoted-printable.
enum MailReading {
    /// The text of the first part.
    static func plainText(of lines: [String]) -> String {
        guard let start = lines.firstIndex(where: { $0.hasPrefix("--") }), let head = lines[start...].firstIndex(of: "") else { return "" }
        let part = lines[(head + 1)...].prefix { !$0.hasPrefix("--=_") }
        return decoded(part.joined(separator: "\n"))
    }

    /// Quoted-printable (RFC 2045 section 6.7), its lines ended by line feeds.
    private static func decoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "=") else {
                bytes.append(byte)
                continue
            }
            if rest.first == UInt8(ascii: "\n") {
                rest.removeFirst()
            } else if let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
