package import Decisions
package import Exchanges
import NIOCore
import Sessions
import Telemetry

/// A way back to an exchange for work that leaves its event loop. The answer of a request that is over is dropped.
package struct PendingAnswer: Sendable {
    private let bound: NIOLoopBound<(exchange: Exchange, request: RequestContext?)>
    private let ticket: UInt64
    /// The request's, which its audit records need.
    private let context = EventContext.current
    private let budget = StoreBudget.current

    package init(_ exchange: Exchange, for request: RequestContext?) {
        bound = NIOLoopBound((exchange, request), eventLoop: exchange.eventLoop)
        ticket = exchange.ticket
    }

    /// Runs on the exchange's event loop, unless its request is over.
    package func onLoop(_ body: @escaping @Sendable (Exchange) -> Void) {
        onLoop { exchange, _ in body(exchange) }
    }

    package func send(_ answer: Answer) {
        onLoop { answer.send(on: $0, for: $1) }
    }

    private func onLoop(_ body: @escaping @Sendable (Exchange, RequestContext?) -> Void) {
        if bound.eventLoop.inEventLoop { return run(body) }
        bound.eventLoop.execute { run(body) }
    }

    /// On the exchange's event loop.
    private func run(_ body: (Exchange, RequestContext?) -> Void) {
        let (exchange, request) = bound.value
        guard exchange.ticket == ticket, exchange.status == 0 else { return }
        // A failed connection is heard of while another request is served, whose values must not be taken for this one's.
        if context == nil, budget == nil, EventContext.current == nil, StoreBudget.current == nil { return body(exchange, request) }
        EventContext.$current.withValue(context) { StoreBudget.$current.withValue(budget) { body(exchange, request) } }
    }
}
