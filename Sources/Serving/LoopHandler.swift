package import Exchanges
package import HTTPWire
package import NIOCore
package import Server

/// The request handler of one event loop: the phases of the current configuration.
///
/// A reload puts others in their place between two requests. A request that waits for something holds the phases it began with.
package final class LoopHandler: RequestHandler {
    package let resources: LoopResources
    private var phases: RequestPhases { didSet { serving = .passUnretained(phases) } }
    /// The same, for the two calls of each request, which `adopt` never interrupts (docs/decisions/0036-memory-safety.md).
    private var serving: Unmanaged<RequestPhases>

    package init(_ context: ServingContext, services: ServerLoop) {
        resources = LoopResources(services: services)
        phases = Self.phases(context, resources)
        serving = .passUnretained(phases)
    }

    private static func phases(_ context: ServingContext, _ resources: LoopResources) -> RequestPhases {
        resources.services.settings = context.serverSettings
        return RequestPhases(context, resources: resources)
    }

    /// On the event loop: from the next request on, `context` serves.
    package func adopt(_ context: ServingContext) {
        let earlier = phases
        phases = Self.phases(context, resources)
        earlier.retire()
    }

    /// Lines that still wait are handed over: the gateway stops.
    package func flush() { phases.retire() }

    package func handle(_ exchange: Exchange) { serving._withUnsafeGuaranteedRef { $0.handle(exchange) } }
    package func refuse(_ exchange: Exchange, _ error: WireError, resemblesBrowser: Bool) {
        phases.refuse(exchange, error, resemblesBrowser: resemblesBrowser)
    }
    package func refuseLate(_ exchange: Exchange) { phases.refuseLate(exchange) }
    package func handshakeFailed(_ peer: PeerAddress, reason: String) { phases.handshakeFailed(peer, reason: reason) }
    package func acceptFailed(_ error: IOError) { phases.acceptFailed(error) }
    package func closedIdleConnections(_ count: Int) { phases.closedIdleConnections(count) }
    package func refusedConnection(_ refusal: ConnectionRefusal, from peer: PeerAddress) { phases.refusedConnection(refusal, from: peer) }
    func handle(question: Exchange) { phases.handle(question: question) }
    func refuse(question: Exchange, reason: String) { phases.refuse(question: question, reason: reason) }
    func finished(question: Exchange) { phases.finished(question: question) }
    package func finished(_ exchange: Exchange) { serving._withUnsafeGuaranteedRef { $0.finished(exchange) } }
}
