import Exchanges
import Logging
import NIOCore
import Server
import Telemetry

/// Writes the log lines about client connections that come to no request: few, however many there are.
struct ConnectionReports {
    private var refusals = LogBursts<ConnectionRefusal>()
    private var acceptFailures = LogBursts<CInt>()
    private var failedHandshakes = LogBursts<String>()
    private var closedForDescriptors = LogBursts<Bool>()

    mutating func handshakeFailed(_ peer: PeerAddress, reason: String, to log: EventLog) {
        guard let burst = failedHandshakes.note(reason, at: NIODeadline.now()) else { return }
        log.write(
            .info, "handshake-failed", "TLS handshakes with clients failed",
            [("reason", .text(reason)), ("peer", .text(peer.text)), ("count", .number(burst))])
    }

    /// The process runs out of descriptors, and so many idle connections were closed to free some.
    mutating func closedIdleConnections(_ count: Int, to log: EventLog) {
        guard let burst = closedForDescriptors.note(true, count: count, at: NIODeadline.now()) else { return }
        log.write(
            .warning, "idle-connections-closed",
            "closed idle client connections to free descriptors; raise `ulimit -n` or LimitNOFILE",
            [("count", .number(burst))])
    }

    mutating func refusedConnection(_ refusal: ConnectionRefusal, from peer: PeerAddress, to log: EventLog) {
        guard let burst = refusals.note(refusal, at: NIODeadline.now()) else { return }
        log.write(
            .warning, "connection-refused", refusal.words,
            [("reason", .text(refusal.reason)), ("peer", .text(peer.text)), ("count", .number(burst))])
    }

    mutating func acceptFailed(_ error: IOError, to log: EventLog) {
        guard acceptFailures.note(error.errnoCode, at: NIODeadline.now()) != nil else { return }
        log.write(
            .error, "accept-failed",
            "cannot accept connections; new clients wait; with EMFILE or ENFILE, raise `ulimit -n` or LimitNOFILE",
            [("reason", .text(error.description))])
    }
}
