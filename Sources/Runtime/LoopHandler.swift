import Config
import Exchanges
import HTTPWire
import NIOCore
import Server

/// The request handler of one event loop: the phases of the current configuration.
///
/// A reload puts others in their place between two requests. A request that waits for something holds the phases it began with.
final class LoopHandler: RequestHandler {
    let resources: LoopResources
    private var phases: RequestPhases { didSet { serving = .passUnretained(phases) } }
    /// The same, for the two calls of each request, which `adopt` never interrupts (docs/decisions/0036-memory-safety.md).
    private var serving: Unmanaged<RequestPhases>

    init(core: GatewayCore, services: ServerLoop) {
        resources = LoopResources(services: services)
        phases = Self.phases(core, resources)
        serving = .passUnretained(phases)
    }

    private static func phases(_ core: GatewayCore, _ resources: LoopResources) -> RequestPhases {
        resources.services.settings = ServerSettings(core)
        return RequestPhases(core: core, resources: resources)
    }

    /// On the event loop: from the next request on, `core` serves.
    func adopt(_ core: GatewayCore) {
        let earlier = phases
        phases = Self.phases(core, resources)
        earlier.retire()
    }

    /// Lines that still wait are handed over: the gateway stops.
    func flush() { phases.retire() }

    func handle(_ exchange: Exchange) { serving._withUnsafeGuaranteedRef { $0.handle(exchange) } }
    func refuse(_ exchange: Exchange, _ error: WireError, resemblesBrowser: Bool) {
        phases.refuse(exchange, error, resemblesBrowser: resemblesBrowser)
    }
    func refuseLate(_ exchange: Exchange) { phases.refuseLate(exchange) }
    func handshakeFailed(_ peer: PeerAddress, reason: String) { phases.handshakeFailed(peer, reason: reason) }
    func acceptFailed(_ error: IOError) { phases.acceptFailed(error) }
    func closedIdleConnections(_ count: Int) { phases.closedIdleConnections(count) }
    func refusedConnection(_ refusal: ConnectionRefusal, from peer: PeerAddress) { phases.refusedConnection(refusal, from: peer) }
    func finished(_ exchange: Exchange) { serving._withUnsafeGuaranteedRef { $0.finished(exchange) } }
}
