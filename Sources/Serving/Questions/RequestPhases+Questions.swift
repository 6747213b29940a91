import Access
import Decisions
import Exchanges
import HTTPWire
import Logging
import NIOCore
import Primitives
import Telemetry

/// Questions of other proxies: the request that they describe takes the way of every request, up to the decision.
extension RequestPhases {
    func handle(question asked: Exchange) {
        asked.connectionState = nil
        guard asked.peer.isLocalSocket || NetworkAddress(asked.peer.text).map(site.askers.contains) ?? false else {
            return refuse(question: asked, reason: "peer-not-allowed")
        }
        let question: Question
        do throws(QuestionRefusal) {
            question = try Question(asked.head, trusted: site.trustedProxies)
        } catch {
            return refuse(question: asked, reason: error.reason)
        }
        let exchange = QuestionExchange(question, of: asked, publicURL: site.publicURL?.text ?? "")
        // What the client says about proxies before it was judged with the question.
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
        PermitLines.write(plan, exchange.question.dialect, asked: exchange.askedHead, site, now: now, into: &requestLines)
        if plan.features != nil, let caller = plan.caller, let omissions = caller.takeOmissions(on: plan.permit.route.index) {
            log(omissions, of: caller, connection, route: plan.permit.route)
        }
        if let cookies { requestLines.put(cookies) }
        requestLines.put("Cache-Control: no-store\r\n")
        var lines = ByteBuffer()
        requestLines.write(to: &lines)
        exchange.letPass { $0.put(lines) }
    }

    /// Refuses a question that describes no request, or comes from a peer that may not ask.
    func refuse(question asked: Exchange, reason: String) {
        context.log.write(
            .notice, "question-refused", "refused to decide about a request",
            [("reason", .text(reason)), ("peer", .text(asked.peer.text)), ("status", .number(403))])
        asked.respond(status: 403, body: ByteBuffer(string: "The gateway does not decide about this request.\n")) {
            $0.put("Content-Type: text/plain; charset=utf-8\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n")
        }
    }

    func finished(question asked: Exchange) {
        guard let exchange = asked.connectionState as? QuestionExchange else { return }
        asked.connectionState = nil
        exchange.end(asked)
        finished(exchange)
    }
}
