import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// A loopback HTTP/1.1 server that answers as each test scripts it, and remembers what it was asked.
final class ScriptedServer: Sendable {
    struct Request: Sendable {
        var method: String
        /// Path and query as sent.
        var target: String
        var headers: [(name: String, value: String)]
        var body: String

        func header(_ name: String) -> String? { self.headers.first { $0.name.lowercased() == name.lowercased() }?.value }
    }

    enum Reply: Sendable {
        case answer(status: Int, headers: [(name: String, value: String)], body: [UInt8])
        /// The head says that more comes than does; then the connection ends.
        case truncated(String)
        /// A body without an end.
        case endless
        /// Nothing, until `endSilence()` closes the connection.
        case silence
        /// The connection ends without an answer.
        case hangUp

        static func json(_ body: String, status: Int = 200) -> Reply {
            .answer(status: status, headers: [("Content-Type", "application/json")], body: Array(body.utf8))
        }
        static func html(status: Int = 200) -> Reply {
            .answer(status: status, headers: [("Content-Type", "text/html")], body: Array("<html><script>canary</script></html>".utf8))
        }
    }

    private struct State {
        var script: @Sendable (Request) -> Reply
        var requests: [Request] = []
    }

    private let state: Mutex<State>
    private let channel: Mutex<(any Channel)?> = Mutex(nil)
    private let originText = Mutex("")
    private let silent = Mutex<[any Channel]>([])

    /// `http://127.0.0.1:port`
    var origin: String { self.originText.withLock { $0 } }

    init(tls: NIOSSLContext? = nil, group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton) async throws {
        self.state = Mutex(State(script: { _ in .html(status: 404) }))
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(server: self))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        self.channel.withLock { $0 = channel }
        self.originText.withLock { $0 = "\(tls == nil ? "http" : "https")://127.0.0.1:\(channel.localAddress?.port ?? 0)" }
    }

    func stop() async {
        let channel = self.channel.withLock { $0 }
        try? await channel?.close()
    }

    /// Closes the connections that have a request without an answer.
    func endSilence() {
        let channels = self.silent.withLock { channels in
            defer { channels = [] }
            return channels
        }
        for channel in channels { channel.close(promise: nil) }
    }

    func script(_ script: @escaping @Sendable (Request) -> Reply) { self.state.withLock { $0.script = script } }

    /// The requests so far, by path without query.
    func requests(to path: String) -> [Request] {
        self.state.withLock { $0.requests.filter { $0.target.prefix { $0 != "?" } == path[...] } }
    }

    fileprivate func reply(to request: Request) -> Reply {
        let script = self.state.withLock { state in
            state.requests.append(request)
            return state.script
        }
        return script(request)
    }

    /// Gathers one request at a time and writes its reply.
    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let server: ScriptedServer
        private var request = Request(method: "", target: "", headers: [], body: "")

        init(server: ScriptedServer) { self.server = server }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch self.unwrapInboundIn(data) {
            case .head(let head):
                self.request = Request(
                    method: head.method.rawValue, target: head.uri, headers: head.headers.map { (name: $0.name, value: $0.value) }, body: ""
                )
            case .body(let buffer): self.request.body += String(buffer: buffer)
            case .end: self.perform(self.server.reply(to: self.request), context: context)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        private func perform(_ reply: Reply, context: ChannelHandlerContext) {
            switch reply {
            case .answer(let status, let headers, let body):
                self.write(status: status, headers: headers + [("Content-Length", "\(body.count)")], body: body, context: context)
                context.writeAndFlush(self.wrapOutboundOut(.end(nil)), promise: nil)
            case .truncated(let text):
                self.write(
                    status: 200, headers: [("Content-Type", "application/json"), ("Content-Length", "\(text.utf8.count + 100)")],
                    body: Array(text.utf8),
                    context: context)
                context.flush()
                context.close(promise: nil)
            case .endless:
                self.write(
                    status: 200, headers: [("Content-Type", "application/json"), ("Transfer-Encoding", "chunked")], body: [],
                    context: context)
                for _ in 0..<24 {
                    context.write(self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(repeating: 0x20, count: 65_536)))), promise: nil)
                }
                context.flush()
            case .silence: self.server.silent.withLock { $0.append(context.channel) }
            case .hangUp: context.close(promise: nil)
            }
        }

        private func write(status: Int, headers: [(name: String, value: String)], body: [UInt8], context: ChannelHandlerContext) {
            let head = HTTPResponseHead(
                version: .http1_1, status: HTTPResponseStatus(statusCode: status), headers: HTTPHeaders(headers.map { ($0.name, $0.value) })
            )
            context.write(self.wrapOutboundOut(.head(head)), promise: nil)
            context.write(self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        }
    }
}
