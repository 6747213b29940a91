package import Decisions
package import Exchanges
import HTTPWire
import Logging
package import Telemetry

/// The gateway's own endpoints under `pathPrefix`, for one event loop. `EndpointTable` lists them. None reaches an upstream.
///
/// The handlers are extensions of it, one file for each subject. What they share is in `Endpoints+Bodies`, `Endpoints+Sessions` and
/// `EndpointRequest`.
package final class Endpoints {
    let context: EndpointContext
    package let answers: Answers
    /// nil: nothing is refused when audit records are lost. Here for the executor, which reads it for each request.
    package let auditGate: AuditGate?
    private let table: EndpointTable
    var site: SiteContext { context.site }
    var log: EventLog { context.log }

    package convenience init(_ context: EndpointContext) { self.init(context, EndpointTable(context.site)) }

    init(_ context: EndpointContext, _ table: EndpointTable) {
        self.context = context
        self.table = table
        answers = Answers(context.site)
        auditGate = context.auditGate
    }

    /// `path`: the request's below `pathPrefix`.
    package func handle(_ exchange: Exchange, _ context: RequestContext, path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        let request = EndpointRequest(exchange: exchange, context: context, segments: [])
        if let location = publicLocation(of: exchange.head, endpoint: parts.first ?? "") {
            return request.send(.redirect(status: 302, to: location, hsts: site.hsts))
        }
        switch table.match(exchange.head.method, parts) {
        case .endpoint(let endpoint, let segments):
            if endpoint.isSignIn, auditGate?.isClosed == true { return refuseWithoutAudit(request) }
            endpoint.handler(self, EndpointRequest(exchange: exchange, context: context, segments: segments))
        case .otherMethods(let methods): refuseMethod(request, methods)
        case .none: refuse(request, status: 404, code: "proxy/not-found", reason: "no-such-endpoint")
        }
    }

    // MARK: Refusals

    private func refuseMethod(_ request: EndpointRequest, _ methods: [HTTPWire.Method]) {
        log.write(
            .info, "request-refused", "request refused: the endpoint does not support this method",
            [("reason", .text("method-not-allowed")), ("status", .number(405)), ("request_id", .text(request.id.text))])
        request.send(
            answers.refusal(
                status: 405, code: "proxy/method-not-allowed", isPage: answers.wantsPage(request.head), requestID: request.id,
                allow: methods.map(\.name).joined(separator: ", ")))
    }

    private func logRefusal(_ request: EndpointRequest, status: Int, reason: String) {
        log.write(
            .info, "request-refused", "request refused",
            [("reason", .text(reason)), ("status", .number(status)), ("request_id", .text(request.id.text))])
    }

    /// Logs a refusal and answers with a page or JSON. `reason`: for the log.
    func refuse(_ request: EndpointRequest, status: Int, code: String, reason: String) {
        logRefusal(request, status: status, reason: reason)
        request.send(answers.refusal(status: status, code: code, isPage: answers.wantsPage(request.head), requestID: request.id))
    }

    /// `audit.onFailure: refuse`, and audit records cannot be written. Nothing is spent: a reload of the page goes on later.
    package func refuseWithoutAudit(_ exchange: Exchange, _ context: RequestContext) {
        refuseWithoutAudit(EndpointRequest(exchange: exchange, context: context, segments: []))
    }

    /// The session store does not respond. The browser keeps its cookie.
    package func refuseWithoutStore(_ exchange: Exchange, _ context: RequestContext) {
        refuseWithoutStore(EndpointRequest(exchange: exchange, context: context, segments: []))
    }

    func refuseWithoutStore(_ request: EndpointRequest) {
        logRefusal(request, status: 503, reason: "store-unavailable")
        var answer = answers.refusal(
            status: 503, code: "auth/store-unavailable", isPage: answers.wantsPage(request.head), requestID: request.id)
        answer.add("Retry-After", "5")
        request.send(answer)
    }

    private func refuseWithoutAudit(_ request: EndpointRequest) {
        logRefusal(request, status: 503, reason: "audit-unavailable")
        var answer = answers.refusal(
            status: 503, code: "proxy/audit-unavailable", isPage: answers.wantsPage(request.head), requestID: request.id)
        answer.add("Retry-After", "5")
        request.send(answer)
    }
}
