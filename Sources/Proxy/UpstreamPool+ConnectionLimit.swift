import NIOCore
import Exchanges

/// Targets with `maxConnections`: requests wait for a connection, and unused connections are handed over to waiting requests.
extension UpstreamPool {
    private struct Weak {
        weak var pool: UpstreamPool?
        init(_ pool: UpstreamPool) { self.pool = pool }
    }

    private var id: ObjectIdentifier { ObjectIdentifier(self) }

    /// Registers the pool, so that it gives up unused connections when requests of other event loops wait.
    func joinLimit() {
        guard let limit = target.connectionLimit else { return }
        let bound = NIOLoopBound(Weak(self), eventLoop: eventLoop)
        limit.register(id) { [eventLoop] in
            eventLoop.execute { bound.value.pool?.yieldUnused() }
        }
    }

    // MARK: Requests

    /// Opens a connection for a request, now or when the target may have a further one.
    func forwardOnNewConnection(_ request: ForwardedRequest, of exchange: Exchange, observer: any ForwardObserver) {
        guard let limit = target.connectionLimit else {
            return openConnection(for: request, of: exchange, observer: observer, nil)
        }
        if let slot = limit.tryAcquire() { return openConnection(for: request, of: exchange, observer: observer, slot) }
        if let group, group.forwardAtOnce(request, of: exchange, observer: observer, excluding: index) { return }
        wait(limit, for: request, of: exchange, observer: observer)
    }

    private func wait(
        _ limit: ConnectionLimit, for request: ForwardedRequest, of exchange: Exchange, observer: any ForwardObserver
    ) {
        let number = limit.makeNumber()
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let entry = ConnectionLimit.Entry(number: number, pool: id, takesStream: !request.needsHTTP1) { [eventLoop] slot in
            eventLoop.execute { bound.value.granted(slot, to: number) }
        }
        switch limit.acquire(entry) {
        case .granted(let slot): openConnection(for: request, of: exchange, observer: observer, slot)
        case .queued:
            WaitingRequest(request, exchange, observer, pool: self).entered(limit, as: number)
            yieldOwned()
        case .refused: refuse(exchange, observer, "the queue for a connection is full")
        }
    }

    /// Sends the request if that is possible without waiting. False: it is not.
    func forwardAtOnce(_ request: ForwardedRequest, of exchange: Exchange, observer: any ForwardObserver) -> Bool {
        let isOpen = !connections.idle.isEmpty || !request.needsHTTP1 && connections.session != nil
        guard !isOpen, let limit = target.connectionLimit else {
            forward(request, of: exchange, observer: observer)
            return true
        }
        guard let slot = limit.tryAcquire() else { return false }
        openConnection(for: request, of: exchange, observer: observer, slot)
        return true
    }

    /// Ends a request that got no connection. It says nothing about the target's health.
    func refuse(_ exchange: Exchange, _ observer: any ForwardObserver, _ detail: String) {
        observer.forward(exchange, failed: ForwardFailure(.busy, at: target.label, detail))
    }

    // MARK: Connections

    private func granted(_ slot: ConnectionSlot, to number: UInt64) {
        guard let waiting = queued[number], let exchange = waiting.take() else { return slot.release() }
        let request = waiting.request
        if !request.needsHTTP1, let session = connections.session {
            slot.release()
            session.start(request, of: exchange, observer: waiting.observer)
        } else {
            openConnection(for: request, of: exchange, observer: waiting.observer, slot)
        }
    }

    /// Hands an unused connection over to a waiting request of this pool. Nil: no request waits. False: one waits on another event loop, and
    /// the connection must be closed.
    func handOver(_ connection: UpstreamConnection, _ limit: ConnectionLimit) -> Bool? {
        switch limit.handOver(by: id) {
        case .keep: return nil
        case .close: return false
        case .serve(let number):
            guard let waiting = queued[number], let exchange = waiting.take() else { return nil }
            connection.start(waiting.request, of: exchange, observer: waiting.observer)
            return true
        }
    }

    /// Starts streams for waiting requests of this pool.
    func serveWaiting(on session: UpstreamSession) {
        guard let limit = target.connectionLimit, limit.hasWaiting else { return }
        while session.hasRoom, let number = limit.nextForStream(of: id) {
            guard let waiting = queued[number], let exchange = waiting.take() else { continue }
            session.start(waiting.request, of: exchange, observer: waiting.observer)
        }
        if session.isUnused, limit.hasWaiting { session.retire() }
    }

    /// Gives up the unused connections that requests wait for.
    private func yieldUnused() {
        guard let limit = target.connectionLimit else { return }
        while limit.hasWaiting, !connections.idle.isEmpty {
            let connection = connections.idle.removeFirst()
            guard let isUsed = handOver(connection, limit) else { return connections.idle.insert(connection, at: 0) }
            if !isUsed { connection.close() }
        }
        for session in connections.sessions where session.isUnused && limit.hasWaiting { session.retire() }
        if limit.hasWaiting { yieldOwned() }
    }

    /// Gives up, before long, the unused connections that others cannot use.
    private func yieldOwned() {
        for connection in connections.owned { connection.shortenWait() }
    }
}
