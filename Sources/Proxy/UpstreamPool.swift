package import HTTPWire
import NIOCore
package import Exchanges

/// The limits towards upstreams. Milliseconds, bytes and counts.
package struct UpstreamSettings: Sendable {
    package var connectTimeout: Int64 = 5_000
    /// From the request's end to the response head.
    package var responseTimeout: Int64 = 60_000
    /// Between two parts of a body.
    package var idleTimeout: Int64 = 75_000
    /// An unused connection is closed after this, before most upstreams do it.
    package var keepAlive: Int64 = 50_000
    /// Unused connections kept for each upstream and event loop.
    package var idleConnections = 256
    /// Requests at once on one HTTP/2 connection, if the upstream allows as many.
    package var streams = 250
    package var headLimits = HeadLimits(bytes: 64 * 1024, fields: 200)
    /// Interim responses (1xx) before one final one.
    package var interimResponses = 32
    package init() {}
}

/// The connections of one event loop to one target; the most recently used is used first.
package final class UpstreamPool {
    let target: UpstreamTarget
    let settings: UpstreamSettings
    private let services: LoopServices
    /// The other targets of the same app; nil when this is the only one.
    weak var group: UpstreamGroup?
    /// The target's place in its group.
    let index: Int
    /// Requests that have not ended.
    var inFlight = 0
    /// Shared with the other targets.
    var spareRequests = SpareRequests()
    private(set) var health = PassiveHealth()
    var connections: UpstreamConnections
    /// Requests that wait because `maxConnections` is reached, by their number in the queue of the limit.
    var queued: [UInt64: WaitingRequest] = [:]
    /// Connects a connection's channel, or reports the failure to it.
    private let connector: (UpstreamConnection, UpstreamPool) -> Void
    private let dialler: Dialler

    var eventLoop: any EventLoop { services.eventLoop }
    var wheel: DeadlineWheel { services.wheel }
    var sends: DeferredSends { services.sends }
    /// Connections opened since the start.
    package var opened: Int { connections.opened }
    /// Connections that wait for their next request.
    package var idleCount: Int { connections.idle.count + connections.owned.count }

    package convenience init(
        target: UpstreamTarget, index: Int = 0, settings: UpstreamSettings, services: LoopServices
    ) {
        self.init(target: target, index: index, settings: settings, services: services) { $1.connect($0) }
    }

    /// `connector`: for tests, which have no sockets.
    init(
        target: UpstreamTarget, index: Int = 0, settings: UpstreamSettings, services: LoopServices,
        connector: @escaping (UpstreamConnection, UpstreamPool) -> Void
    ) {
        self.connector = connector
        self.target = target
        self.index = index
        self.settings = settings
        self.services = services
        dialler = Dialler(endpoint: target.endpoint, eventLoop: services.eventLoop, timeout: settings.connectTimeout)
        if case .http2 = target.transport { connections = UpstreamConnections(.http2) } else { connections = UpstreamConnections(.http1) }
        // Unowned: a weak reference would make each request's retain of the pool a slow one.
        dialler.isWatched = { [unowned self] in !connections.idle.isEmpty || !connections.owned.isEmpty || !connections.sessions.isEmpty }
        dialler.onResolved = { [unowned self] in leaveOldAddresses() }
        joinLimit()
    }

    deinit {
        dialler.isWatched = { false }
        dialler.onResolved = nil
        target.connectionLimit?.unregister(ObjectIdentifier(self))
    }

    /// Unused connections to an address that is no longer the name's are closed; shared ones end with their last stream.
    private func leaveOldAddresses() {
        for connection in connections.idle where !dialler.isCurrent(connection.remoteAddress) { connection.close() }
        for connection in connections.owned where !dialler.isCurrent(connection.remoteAddress) { connection.close() }
        for session in connections.sessions where !dialler.isCurrent(session.remoteAddress) { session.retire() }
    }

    // MARK: Requests

    /// Sends a request on an unused connection, else on a new one.
    package func forward(_ request: consuming ForwardedRequest, of exchange: Exchange, observer: any ForwardObserver) {
        if let connection = connections.idle.popLast() {
            connection.start(request, of: exchange, observer: observer)
        } else if target.isPlain {
            forwardOnNewConnection(request, of: exchange, observer: observer)
        } else {
            forwardSecurely(request, of: exchange, observer: observer)
        }
    }

    /// On a stream of an HTTP/2 connection, or on what the upstream turns out to speak.
    private func forwardSecurely(_ request: ForwardedRequest, of exchange: Exchange, observer: any ForwardObserver) {
        if request.needsHTTP1 {
            // WebSockets and authenticated connections are things of HTTP/1.1.
            guard case .tls = target.transport else {
                let reason = request.upgrade != nil ? UpstreamFailure.noWebSocket : .noConnectionAuthentication
                return failed(request, of: exchange, observer: observer, reason, "", .answered, hasBodyBegun: false)
            }
            return forwardOnNewConnection(request, of: exchange, observer: observer)
        }
        if let session = connections.session {
            return session.start(request, of: exchange, observer: observer)
        }
        if let opening = connections.openingSession {
            return opening.add(WaitingRequest(request, exchange, observer, pool: self))
        }
        forwardOnNewConnection(request, of: exchange, observer: observer)
    }

    /// `slot`: nil for targets without `maxConnections`.
    func openConnection(
        for request: ForwardedRequest, of exchange: Exchange, observer: any ForwardObserver, _ slot: ConnectionSlot?
    ) {
        connections.open()
        if target.isPlain {
            let connection = UpstreamConnection(pool: self)
            connection.slot = slot
            connection.start(request, of: exchange, observer: observer)
            connector(connection, self)
        } else {
            let opening = UpstreamOpening(pool: self, http1Only: request.needsHTTP1, slot: slot)
            connections.open(opening)
            opening.add(WaitingRequest(request, exchange, observer, pool: self))
            opening.start(with: dialler)
        }
    }

    /// Opens a connection without a request and reports the outcome.
    func open(done: @escaping (ForwardFailure?) -> Void) {
        let opening = UpstreamOpening(pool: self, http1Only: false)
        opening.onOutcome = done
        connections.open(opening)
        opening.start(with: dialler)
    }

    // MARK: Failures

    /// A request has got no byte of an answer. Sends it once more where that is safe, else tells the observer.
    func failed(
        _ request: ForwardedRequest, of exchange: Exchange, observer: any ForwardObserver, _ reason: UpstreamFailure, _ detail: String,
        _ progress: RetryPolicy.Progress, hasBodyBegun: Bool
    ) {
        // That a kept connection was closed, or a stream refused, says nothing about the target.
        // One that could not be opened has been noted, once for all who waited for it.
        switch progress {
        case .opening, .keptConnectionClosed, .unprocessed: break
        case .newConnectionClosed, .answered: if reason.isAboutTarget { noteFailure(reason, detail) }
        }
        switch RetryPolicy.decide(
            progress, isRepeatable: request.isRepeatable, hasBodyBegun: hasBodyBegun, hasOtherTarget: group?.hasOtherTarget ?? false,
            request.attempts)
        {
        case .again:
            request.attempts.hasRepeated = true
            holdBody(of: request, exchange)
            if target.isPlain {
                forwardOnNewConnection(request, of: exchange, observer: observer)
            } else {
                forwardSecurely(request, of: exchange, observer: observer)
            }
        case .otherTarget:
            request.attempts.hasMovedOn = true
            holdBody(of: request, exchange)
            if let other = group?.pool(excluding: index) {
                other.forward(request, of: exchange, observer: observer)
            } else {
                observer.forward(exchange, failed: ForwardFailure(reason, at: target.label, detail))
            }
        case .report:
            observer.forward(exchange, failed: ForwardFailure(reason, at: target.label, detail))
        }
    }

    /// Pauses the rest of a body until its kept part has been sent again.
    private func holdBody(of request: ForwardedRequest, _ exchange: Exchange) {
        if let replay = request.replay, !replay.isComplete { exchange.pauseBody(true) }
    }

    /// The answer had begun and was cut off: the client must see that.
    func cutOff(_ exchange: Exchange, observer: any ForwardObserver, _ reason: UpstreamFailure, _ detail: String) {
        observer.forward(exchange, cutOff: ForwardFailure(reason, at: target.label, detail))
        exchange.abort()
    }

    /// The target gave no usable answer, or no connection.
    func noteFailure(_ reason: UpstreamFailure, _ detail: String) {
        target.noteFailure(ForwardFailure(reason, at: target.label, detail).words)
        guard let group else { return }
        if health.failed(group.ejection, now: group.now()) { group.ejected(self) }
    }

    /// A response head came.
    @inline(__always)
    func noteSuccess() {
        health.succeeded()
        target.noteSuccess()
    }

    // MARK: Connections

    private func connect(_ connection: UpstreamConnection) {
        let bound = NIOLoopBound(connection, eventLoop: eventLoop)
        dialler.dial { result in
            switch result {
            case .success(let channel):
                do {
                    try channel.pipeline.syncOperations.addHandler(bound.value)
                    bound.value.connected()
                } catch {
                    channel.close(promise: nil)
                    bound.value.connectFailed(ConnectFailure(.connectFailed, "the connection closed as soon as it was open"))
                }
            case .failure(let failure):
                bound.value.connectFailed(failure)
            }
        }
    }

    /// A new connection turned out to speak HTTP/1.1.
    func opened(_ opening: UpstreamOpening, http1 channel: any Channel) throws -> UpstreamConnection {
        connections.became(http1: opening)
        let connection = UpstreamConnection(pool: self)
        try channel.pipeline.syncOperations.addHandler(connection)
        return connection
    }

    /// A new connection speaks HTTP/2 and is ready for streams.
    func opened(_ opening: UpstreamOpening, session: UpstreamSession) {
        connections.became(session, opening)
    }

    func failedToOpen(_ opening: UpstreamOpening) { connections.failedToOpen(opening) }

    /// Takes back a connection that has nothing left of its last exchange. False: the pool is full.
    func release(_ connection: UpstreamConnection) -> Bool {
        if let limit = target.connectionLimit, limit.hasWaiting, let isUsed = handOver(connection, limit) { return isUsed }
        guard connections.idle.count < settings.idleConnections else { return false }
        connections.idle.append(connection)
        return true
    }

    /// Closes the unused connections; those in use end with their exchange.
    package func drain() {
        for connection in connections.idle { connection.close() }
        for connection in connections.owned { connection.close() }
        for session in connections.sessions { session.retire() }
    }
}
