import Decisions
import Exchanges
import HTTPWire
import NIOCore
import Transport

// The end of an exchange, and the limits.
extension UpstreamConnection {
    /// The response is complete.
    func end(trailers: ByteBuffer? = nil) {
        let kept = trailers.flatMap { request?.kept($0) }
        let isAuthenticated = ownership.isAuthenticated
        let owner = isAuthenticated ? self.exchange.flatMap { observer?.connectionOwner(of: $0) } : nil
        guard let exchange = detach() else { return }
        if !machine.complete() {
            close()
        } else if isAuthenticated {
            rest(for: owner, of: exchange)
        } else {
            rest()
        }
        // Last: the next pipelined request may start on this very connection.
        exchange.sendEnd(trailers: kept)
        exchange.flush()
    }

    /// A TLS alert after the handshake says why (RFC 8446 section 4.4.2.4: a client's certificate is judged then); anything else is an
    /// end without one.
    func fail(for error: any Error) {
        if case .tls(let tls) = pool.target.transport,
            let known = UpstreamTLS.failure(for: error, name: tls.serverName ?? pool.target.label, certificate: nil)
        {
            fail(known.reason, known.detail)
        } else {
            fail(.closedEarly, SystemError.text(error) ?? WireError.truncated.rawValue)
        }
    }

    func fail(_ reason: UpstreamFailure, _ detail: String) {
        let failure = machine.fail(isEarlyClose: reason == .closedEarly)
        guard let exchange, let observer, let request else { return close() }
        let pool = self.pool
        let progress: RetryPolicy.Progress
        switch failure {
        case .none: return close()
        case .cutOff:
            detach()
            close()
            return pool.cutOff(exchange, observer: observer, reason, detail)
        case .unanswered(let found): progress = found
        }
        detach()
        close()
        if case .opening = progress { pool.noteFailure(reason, detail) }
        pool.failed(
            request, of: exchange, observer: observer, reason, detail, progress,
            hasBodyBegun: machine.wasOpened && request.framing != .none)
    }

    // MARK: Limits

    func setDeadline() { wheel.set(deadline, milliseconds: machine.limit.milliseconds(request, pool.settings)) }

    func deadlineExpired() {
        switch machine.deadlineExpired() {
        case .none: break
        case .keepAlive: close()
        case .connect: fail(.connectTimeout, "no connection within \(pool.settings.connectTimeout) ms")
        case .response: fail(.responseTimeout, "no response within \(pool.settings.responseTimeout) ms")
        case .body: fail(.idleTimeout, "no byte for \(UpstreamLimit.body.milliseconds(request, pool.settings)) ms")
        }
    }
}
