package import Exchanges
package import HTTPWire
package import NIOCore
package import Server

/// The listener at which other proxies ask for decisions. It decides with the phases, sessions and counters of its event loop.
package final class AuthorizationHandler: RequestHandler {
    private let decisions: LoopHandler

    package init(_ decisions: LoopHandler) { self.decisions = decisions }

    package func handle(_ exchange: Exchange) { decisions.handle(question: exchange) }
    package func finished(_ exchange: Exchange) { decisions.finished(question: exchange) }
    package func refuse(_ exchange: Exchange, _ error: WireError, resemblesBrowser: Bool) {
        decisions.refuse(question: exchange, reason: error.rawValue)
    }
    package func refuseLate(_ exchange: Exchange) { decisions.refuse(question: exchange, reason: "request-timeout") }
    package func handshakeFailed(_ peer: PeerAddress, reason: String) { decisions.handshakeFailed(peer, reason: reason) }
    package func acceptFailed(_ error: IOError) { decisions.acceptFailed(error) }
    package func closedIdleConnections(_ count: Int) {}
    package func refusedConnection(_ refusal: ConnectionRefusal, from peer: PeerAddress) {
        decisions.refusedConnection(refusal, from: peer)
    }
}
