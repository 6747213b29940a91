import Synchronization

/// The last use, on any event loop, of sessions that have tunnels or event streams.
///
/// A quiet stream must not end while its user works in the same browser. Requests report at the pace at which cookies are renewed, so
/// nothing is added to most of them.
package final class SessionActivity: Sendable {
    private struct Entry {
        var streams = 0
        var seenAt: Int64
    }

    package init() {}

    private let entries = Mutex<[[UInt8]: Entry]>([:])

    /// A stream of this session begins; each one ends with `removeStream`.
    package func addStream(of sessionID: [UInt8], now: Int64) {
        entries.withLock {
            $0[sessionID, default: Entry(seenAt: now)].streams += 1
        }
    }

    package func removeStream(of sessionID: [UInt8]) {
        entries.withLock {
            guard var entry = $0[sessionID] else { return }
            entry.streams -= 1
            $0[sessionID] = entry.streams > 0 ? entry : nil
        }
    }

    /// A request came with this session.
    package func note(_ sessionID: [UInt8], now: Int64) {
        entries.withLock {
            guard let seenAt = $0[sessionID]?.seenAt, seenAt < now else { return }
            $0[sessionID]?.seenAt = now
        }
    }

    /// Unix milliseconds; nil: the session has no stream.
    package func lastSeen(_ sessionID: [UInt8]) -> Int64? { entries.withLock { $0[sessionID]?.seenAt } }
}
