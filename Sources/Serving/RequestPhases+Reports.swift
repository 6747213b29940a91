import Decisions
import Endpoints
import Exchanges
import HTTPWire
import Logging
import NIOCore
import Proxy
import Server
import Telemetry

/// What the server and the proxy report: refused and finished requests, connections, forwarding that failed.
extension RequestPhases {
    func refuse(_ exchange: Exchange, _ error: WireError, resemblesBrowser: Bool) {
        let connection = connection(of: exchange, isNew: exchange.head.bytes.readableBytes == 0)
        context.log.write(
            .info, "request-refused", "request refused: it violates HTTP or a limit",
            [
                ("reason", .text(error.rawValue)), ("status", .number(error.status)), ("peer", .text(exchange.peer.text)),
                ("request_id", .text(connection.requestID.text)),
            ])
        endpoints.answers.refusal(
            status: error.status, code: nil, isPage: resemblesBrowser || endpoints.answers.wantsPage(exchange.head),
            requestID: connection.requestID
        ).send(on: exchange, for: connection.request)
    }

    func refuseLate(_ exchange: Exchange) {
        let connection = connection(of: exchange, isNew: exchange.head.bytes.readableBytes == 0)
        context.log.write(
            .info, "request-refused", "request refused: it did not arrive within server.timeouts.header",
            [("reason", .text("request-timeout")), ("status", .number(408)), ("request_id", .text(connection.requestID.text))])
        endpoints.answers.refusal(
            status: 408, code: nil, isPage: endpoints.answers.wantsPage(exchange.head), requestID: connection.requestID
        ).send(on: exchange, for: connection.request)
    }

    func forward(_ exchange: Exchange, opened response: LongResponse) {
        guard let connection = exchange.connectionState as? ConnectionState, let caller = connection.caller else { return }
        let now = wallClock()
        let token = caller.times.tokenExpiresAt.map { expiresAt in
            StreamToken(
                exchange.head.presentedToken, client: ClientShare(connection.client(exchange)), expiresAt: expiresAt,
                introspectedUntil: caller.times.introspectedUntil, now: now)
        }
        let stream = SessionStream(response, caller.session, token, on: exchange, requestID: connection.requestID, now: now)
        connection.stream = stream
        streams.insert(stream)
    }

    func forward(_ exchange: Exchange, failed failure: ForwardFailure) {
        let connection = exchange.connectionState as? ConnectionState
        let requestID = connection?.requestID ?? RequestID()
        connection?.forwardedAt = nil
        connection?.counters.upstreamFailures[failure.reason.rawValue, default: 0] += 1
        context.log.write(
            .warning, "upstream-failed", failure.reason.summary,
            [
                ("reason", .text(failure.reason.rawValue)), ("upstream", .text(failure.target)), ("detail", .text(failure.detail)),
                ("status", .number(failure.reason.status)),
                ("request_id", .text(requestID.text)),
            ])
        var answer = endpoints.answers.refusal(
            status: failure.reason.status, code: failure.reason.errorCode, isPage: endpoints.answers.wantsPage(exchange.head),
            requestID: requestID)
        if failure.reason == .busy { answer.add("Retry-After", "1") }
        answer.send(on: exchange, for: connection?.request)
    }

    func forward(_ exchange: Exchange, cutOff failure: ForwardFailure) {
        let connection = exchange.connectionState as? ConnectionState
        let requestID = connection?.requestID ?? RequestID()
        connection?.counters.upstreamFailures[failure.reason.rawValue, default: 0] += 1
        context.log.write(
            .warning, "upstream-cut-off", "the upstream's response broke off; closed the client's connection",
            [
                ("reason", .text(failure.reason.rawValue)), ("upstream", .text(failure.target)), ("detail", .text(failure.detail)),
                ("request_id", .text(requestID.text)),
            ])
    }

    func handshakeFailed(_ peer: PeerAddress, reason: String) { reports.handshakeFailed(peer, reason: reason, to: context.log) }
    func acceptFailed(_ error: IOError) { reports.acceptFailed(error, to: context.log) }
    func refusedConnection(_ refusal: ConnectionRefusal, from peer: PeerAddress) {
        metrics.connectionsRefused += 1
        reports.refusedConnection(refusal, from: peer, to: context.log)
    }

    /// The process runs out of descriptors, and so many idle connections were closed to free some.
    func closedIdleConnections(_ count: Int) {
        metrics.connectionsClosedForDescriptors += count
        reports.closedIdleConnections(count, to: context.log)
    }

    func finished(_ exchange: Exchange) {
        guard let connection = exchange.connectionState as? ConnectionState else { return }
        let now = NIODeadline.now()
        let nanoseconds = Int(clamping: (now - exchange.record.startedAt).nanoseconds)
        metrics.ended &+= 1
        connection.endWork()
        if let stream = connection.stream {
            connection.stream = nil
            streams.remove(stream)
        }
        let counters = connection.counters
        counters.ended(method: exchange.head.method, status: exchange.status, nanoseconds: UInt64(max(0, nanoseconds)))
        if let forwardedAt = connection.forwardedAt, exchange.record.respondedAt >= forwardedAt {
            connection.upstreamNanoseconds = Int(clamping: (exchange.record.respondedAt - forwardedAt).nanoseconds)
            counters.upstream.add(UInt64(connection.upstreamNanoseconds))
        }
        if let access { access.append(exchange, connection.finished(nanoseconds: nanoseconds, at: now)) }
        if connection.trace.isSampled, let tracer {
            RequestSpans.record(exchange, connection.finished(nanoseconds: nanoseconds, at: now), to: tracer)
        }
        if logsDecisions { logRequest(exchange, connection, nanoseconds) }
    }

    func logRequest(_ exchange: Exchange, _ connection: ConnectionState, _ nanoseconds: Int) {
        let head = exchange.head
        let isEmpty = head.bytes.readableBytes == 0
        context.log.write(
            .debug, "request", "\(isEmpty ? "-" : head.loggedMethod) \(exchange.status)",
            [
                ("request_id", .text(connection.requestID.text)), ("path", .text(isEmpty ? "" : head.loggedPath)),
                ("status", .number(exchange.status)), ("bytes", .number(exchange.record.sentBodyBytes)),
                ("aborted", .flag(exchange.record.wasAborted)),
                ("milliseconds", .number(nanoseconds / 1_000_000)),
            ])
    }
}
