package import DevProvider
import Endpoints
import Exchanges
import HTTPWire
import NIOCore
import Server
import Transport

/// Serves a small program of ours, such as the local identity provider, on a loopback port.
package final class ProgramServer: Sendable {
    package typealias Program = @Sendable (DevRequest) -> DevResponse

    private let group: SocketLoopGroup
    private let socket: any TransportListener
    package let port: Int

    /// Binds 127.0.0.1; port 0 lets the system choose.
    package init(port: Int, program: @escaping Program) async throws {
        group = try SocketLoopGroup(count: 1)
        let loop = group.next()
        let bound = try await loop.submit {
            NIOLoopBound(
                Listener.Loop(services: ServerLoop(eventLoop: loop), handler: ProgramHandler(program: program)), eventLoop: loop)
        }.get()
        socket = try await Listener(group: group, loops: [bound], settings: ServerSettings()).bind(.tcp(host: "127.0.0.1", port: port))
        self.port = socket.localAddress?.port ?? port
    }

    package func stop() async {
        try? await socket.close()
        try? await group.shutdownGracefully()
    }
}

/// Turns exchanges into whole requests and whole answers.
private final class ProgramHandler: RequestHandler {
    private let program: ProgramServer.Program

    init(program: @escaping ProgramServer.Program) { self.program = program }

    func handle(_ exchange: Exchange) {
        let head = exchange.head
        var request = DevRequest(
            method: head.methodText, path: head.pathText, query: head.queryRange.isEmpty ? nil : head.queryText,
            headers: head.fields.map { (head.text($0.nameStart, $0.nameLength), head.text($0.valueStart, $0.valueLength)) })
        BodyCollector.collect(exchange, limit: 16 << 20) { [program] exchange, body in
            request.body = body
            Self.send(program(request), on: exchange)
        }
    }

    private static func send(_ response: DevResponse, on exchange: Exchange) {
        var answer = Answer(status: response.status, body: response.body)
        for (name, value) in response.headers { answer.add(name, value) }
        switch response.pace {
        case .immediate:
            answer.send(on: exchange, for: nil)
        case .after(let milliseconds):
            let pending = PendingAnswer(exchange, for: nil)
            exchange.eventLoop.scheduleTask(in: .milliseconds(milliseconds)) { [answer] in pending.send(answer) }
        case .never:
            break
        case .close:
            exchange.abort()
        }
    }

    func refuse(_ exchange: Exchange, _ error: WireError, resemblesBrowser: Bool) {
        Answer(status: error.status, body: Array("\(error.rawValue)\n".utf8)).send(on: exchange, for: nil)
    }

    func refuseLate(_ exchange: Exchange) { Answer(status: 408).send(on: exchange, for: nil) }
    func handshakeFailed(_ peer: PeerAddress, reason: String) {}
    func acceptFailed(_ error: IOError) {}
    func closedIdleConnections(_ count: Int) {}
    func refusedConnection(_ refusal: ConnectionRefusal, from peer: PeerAddress) {}
    func finished(_ exchange: Exchange) {}
}
