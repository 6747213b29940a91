import Access
import Decisions
import Endpoints
import Exchanges
import ExtAuthz
import HTTPWire
import Logging
import NIOCore
import Primitives
import Telemetry

/// Questions of other proxies: the request that they describe takes the way of every request, up to the decision.
extension RequestPhases {
    func handle(question asked: Exchange) {
        let known = known(asked)
        // A peer that asked on this connection before is allowed.
        guard known != nil || asked.peer.isLocalSocket || NetworkAddress(asked.peer.text).map(site.askers.contains) ?? false else {
            return refuse(question: asked, reason: "peer-not-allowed")
        }
        let head = asked.head
        if head.bytes.byteSpan.extracting(head.pathRange).equals(CheckQuestion.path) { return handle(call: asked) }
        do throws(QuestionRefusal) {
            let question =
                if let known { try known.next(head, trusted: site.trustedProxies) } else {
                    try Question(head, trusted: site.trustedProxies)
                }
            decide(question, for: asked, known)
        } catch {
            guard error == .unknownEndpoint, Self.isCall(asked) else { return refuse(question: asked, reason: error.reason) }
            refuse(call: asked, status: 404, reason: "unknown-grpc-method")
        }
    }

    /// Whether a gRPC client sent it.
    private static func isCall(_ asked: Exchange) -> Bool {
        let type = asked.head.text(.contentType)?.lowercased() ?? ""
        return asked.speaksHTTP2
            && (type == "application/grpc" || type.hasPrefix("application/grpc+") || type.hasPrefix("application/grpc;"))
    }

    /// The last question of the connection, if this configuration answered it.
    private func known(_ asked: Exchange) -> QuestionExchange? {
        guard let known = asked.connectionState as? QuestionExchange,
            (known.connectionState as? ConnectionState)?.generation == context.generation
        else { return nil }
        return known
    }

    /// A question over gRPC is in the body.
    private func handle(call asked: Exchange) {
        guard asked.head.method == .post, Self.isCall(asked) else { return refuse(call: asked, status: 415, reason: "no-grpc-call") }
        BodyCollector.collect(asked, limit: CheckQuestion.largestMessage) { [self] asked, body in
            do throws(QuestionRefusal) {
                decide(try CheckQuestion.read(body), for: asked, known(asked))
            } catch {
                log(refused: asked, error.reason)
                QuestionExchange.refuse(asked, text: Self.refusalText)
            }
        }
    }

    private func decide(_ question: consuming Question, for asked: Exchange, _ known: QuestionExchange?) {
        // The questions of a connection are often about one client, whose session is then at hand.
        if let known, known.isReusable(for: question) {
            known.begin(question, of: asked)
            return handle(known)
        }
        let exchange = QuestionExchange(question, of: asked, publicURL: site.publicURL?.text ?? "")
        // The client was found with the question: nobody is trusted to name another one.
        let connection = ConnectionState(exchange, trusted: CIDRSet(), generation: context.generation, counters: metrics.refused)
        connection.request.isQuestion = true
        exchange.connectionState = connection
        asked.connectionState = exchange
        handle(exchange)
    }

    /// Lets a request pass that another proxy forwards.
    func letPass(
        _ plan: consuming ForwardPlan, _ exchange: Exchange, _ head: RequestHead, _ connection: ConnectionState, now: Int64
    ) {
        guard let exchange = exchange as? QuestionExchange else {
            return refuse(exchange, connection, status: 500, code: "proxy/internal-error", reason: "question-without-exchange")
        }
        let cookies = plan.cookies == .none ? nil : cookieLines(plan.cookies, plan.caller, head, now)
        requestLines.removeAll()
        PermitLines.write(plan, exchange.dialect, asked: exchange.askedHead, site, now: now, into: &requestLines)
        if plan.features != nil, let caller = plan.caller, let omissions = caller.takeOmissions(on: plan.permit.route.index) {
            log(omissions, of: caller, connection, route: plan.permit.route)
        }
        if let cookies { requestLines.put(cookies) }
        requestLines.put("Cache-Control: no-store\r\n")
        exchange.letPass { requestLines.write(to: &$0) }
    }

    /// Refuses a question that describes no request, or comes from a peer that may not ask.
    func refuse(question asked: Exchange, reason: String) {
        log(refused: asked, reason)
        asked.respond(status: 403, body: ByteBuffer(string: Self.refusalText)) {
            $0.put("Content-Type: text/plain; charset=utf-8\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n")
        }
    }

    /// Refuses a call of another method, or a request that is no call: gRPC clients read the status `UNIMPLEMENTED`. The status of HTTP is
    /// no 2xx, because a proxy that asks over plain HTTP by mistake would let the request pass.
    private func refuse(call asked: Exchange, status: Int, reason: String) {
        log(refused: asked, reason, status: status)
        asked.respond(status: status, body: ByteBuffer()) {
            $0.put(
                "Content-Type: application/grpc\r\nGrpc-Status: 12\r\nGrpc-Message: the gateway has only envoy.service.auth.v3.Authorization/Check\r\n"
            )
            $0.put("Cache-Control: no-store\r\n")
        }
    }

    private static let refusalText = "The gateway does not decide about this request.\n"

    private func log(refused asked: Exchange, _ reason: String, status: Int = 403) {
        context.log.write(
            .notice, "question-refused", "refused to decide about a request",
            [("reason", .text(reason)), ("peer", .text(asked.peer.text)), ("status", .number(status))])
    }

    func finished(question asked: Exchange) {
        guard let exchange = asked.connectionState as? QuestionExchange, exchange.end(asked) else { return }
        finished(exchange)
    }
}
