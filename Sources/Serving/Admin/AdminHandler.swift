import Endpoints
package import Exchanges
package import HTTPWire
package import NIOCore
package import Server
package import Telemetry

/// The admin listener: `/livez`, `/readyz`, `/metrics`, and `/sessions` with a token. Never on the public listener, and nothing here tells a
/// secret.
package final class AdminHandler: RequestHandler {
    private let readiness: @Sendable () -> Readiness
    private let metrics: @Sendable () async -> [MetricFamily]
    /// Of the configuration that is served now; nil without `admin.token`.
    private let sessions: @Sendable () -> AdminSessions?

    package init(
        readiness: @escaping @Sendable () -> Readiness, metrics: @escaping @Sendable () async -> [MetricFamily],
        sessions: @escaping @Sendable () -> AdminSessions?
    ) {
        self.readiness = readiness
        self.metrics = metrics
        self.sessions = sessions
    }

    package func handle(_ exchange: Exchange) {
        let path = exchange.head.pathText
        if AdminRequest.covers(path) {
            guard let sessions = sessions() else { return Self.notFound(exchange) }
            return sessions.handle(exchange)
        }
        guard exchange.head.method == .get || exchange.head.method == .head else {
            var answer = Self.text(405, "only GET and HEAD\n")
            answer.add("Allow", "GET, HEAD")
            return answer.send(on: exchange, for: nil)
        }
        switch path {
        case "/livez":
            Self.text(200, "ok\n").send(on: exchange, for: nil)
        case "/readyz":
            let readiness = self.readiness()
            let isVerbose = exchange.head.queryText.split(separator: "&").contains { $0 == "verbose" || $0.hasPrefix("verbose=") }
            let body = isVerbose ? readiness.verboseText : readiness.text
            Self.text(readiness.isReady ? 200 : 503, body).send(on: exchange, for: nil)
        case "/metrics":
            let format = MetricText.Format(accept: exchange.head.text(.accept))
            let pending = PendingAnswer(exchange, for: nil)
            let metrics = self.metrics
            Task {
                let text = MetricText.render(await metrics(), as: format)
                pending.send(
                    Answer(
                        status: 200,
                        headers: [
                            ("Content-Type", format.contentType), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
                        ], body: Array(text.utf8)))
            }
        default: Self.notFound(exchange)
        }
    }

    private static func notFound(_ exchange: Exchange) {
        text(404, "the admin listener has /livez, /readyz and /metrics, and with `admin.token` /sessions\n").send(on: exchange, for: nil)
    }

    package func refuse(_ exchange: Exchange, _ error: WireError, resemblesBrowser: Bool) {
        Self.text(error.status, "bad request: \(error.rawValue)\n").send(on: exchange, for: nil)
    }

    package func refuseLate(_ exchange: Exchange) {
        Self.text(408, "the request took too long\n").send(on: exchange, for: nil)
    }

    package func handshakeFailed(_ peer: PeerAddress, reason: String) {}
    package func acceptFailed(_ error: IOError) {}
    package func closedIdleConnections(_ count: Int) {}
    package func refusedConnection(_ refusal: ConnectionRefusal, from peer: PeerAddress) {}
    package func finished(_ exchange: Exchange) {}

    private static func text(_ status: Int, _ text: String) -> Answer {
        Answer(
            status: status,
            headers: [("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff")],
            body: Array(text.utf8))
    }
}
