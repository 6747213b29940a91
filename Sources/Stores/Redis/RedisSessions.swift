package import NIOCore
package import Sessions
import Synchronization

/// What the stores of all configurations with the same servers share: connections, what was opened and heard, refreshes under way.
package final class RedisSessions: Sendable {
    package let settings: RedisSettings
    let client: RedisClient
    let known: KnownSessions
    /// For logouts that anybody can send: limits by address.
    let frontChannel: Mutex<FrontChannelLogouts>
    /// The fences of the refreshes that this process has begun.
    let fences = Mutex<[RefreshCoordinator.Key: [UInt8]]>([:])
    let observe: @Sendable (RedisEvent) -> Void
    let caller: @Sendable () -> (any Sendable)?

    /// Connects in the background. Throws the reason why that is impossible whatever the server does.
    /// `loops`: those that serve requests, after one for everything else; at least one. They must run until `close` has returned.
    /// `report` is called when the status has changed, `observe` for each event. `caller` is called when a call begins, in its task or on its
    /// thread; `observe` gets what it returned when the call has ended.
    package init(
        _ settings: RedisSettings, loops: [any EventLoop], now: @escaping @Sendable () -> Int64,
        observe: @escaping @Sendable (RedisEvent) -> Void = { _ in }, caller: @escaping @Sendable () -> (any Sendable)? = { nil },
        report: @escaping @Sendable (SessionStoreStatus) -> Void = { _ in }
    ) throws(SessionStoreError) {
        self.settings = settings
        self.observe = observe
        self.caller = caller
        let reporter = Reporter(report)
        let known = KnownSessions()
        self.known = known
        frontChannel = Mutex(FrontChannelLogouts(digester: RevocationDigester()))
        do throws(RedisFailure) {
            client = try RedisClient(
                settings, loops: loops,
                RedisSubscription.Listener(
                    onMessage: { message in
                        switch RedisMessage(message) {
                        case .ends(let records):
                            known.insert(records, now: now())
                            observe(.invalidation(.end))
                        case .changed(let name):
                            known.forget(name)
                            observe(.invalidation(.change))
                        case nil: observe(.invalidation(.invalid))
                        }
                    }, onHearing: { known.setHearing($0) }, onStatus: { reporter.report() }))
        } catch {
            throw .unavailable(error.reason)
        }
        reporter.sessions.withLock { $0 = WeakSessions(sessions: self) }
    }

    private struct WeakSessions { weak var sessions: RedisSessions? }

    /// Reports the status of sessions that are still being made.
    private final class Reporter: Sendable {
        let sessions = Mutex(WeakSessions(sessions: nil))
        private let function: @Sendable (SessionStoreStatus) -> Void

        init(_ function: @escaping @Sendable (SessionStoreStatus) -> Void) { self.function = function }

        func report() {
            if let status = sessions.withLock({ $0.sessions })?.status { function(status) }
        }
    }

    package func close() async { await client.close() }

    /// The state of the connections at present, for metrics.
    package struct Connections: Sendable {
        /// For commands.
        package let isReady: Bool
        /// Commands fail at once, because no connection works.
        package let isCircuitOpen: Bool
        /// Messages of all replicas arrive.
        package let isHearing: Bool
    }

    package var connections: Connections {
        let status = client.status
        return Connections(
            isReady: status.isReady, isCircuitOpen: !status.isReady && status.failure != nil, isHearing: known.epoch != nil)
    }

    var status: SessionStoreStatus {
        let status = client.status
        guard status.isReady else {
            return SessionStoreStatus(isServing: false, detail: status.failure?.reason ?? "no connection was made yet")
        }
        guard known.epoch == nil else { return SessionStoreStatus(isServing: true) }
        let reason = client.subscriptionProblem?.reason ?? "it is about to subscribe"
        return SessionStoreStatus(
            isServing: true, detail: "does not hear the other replicas, so each request asks the store: \(reason)")
    }
}

/// A message from one replica to all.
enum RedisMessage: Equatable {
    case ends([RevocationRecord])
    case changed(RevocationDigest)

    private static let endsKind: UInt8 = 1
    private static let changedKind: UInt8 = 2
    private static let recordSize = 1 + RevocationDigest.size + 16
    private static let mostRecords = 64

    var bytes: [UInt8] {
        switch self {
        case .changed(let name): return [Self.changedKind] + name.bytes
        case .ends(let records):
            return records.reduce(into: [Self.endsKind]) { bytes, record in
                bytes.append(record.kind.rawValue)
                bytes += record.digest.bytes
                bytes += withUnsafeBytes(of: record.issuedUpTo.bigEndian) { Array($0) }
                bytes += withUnsafeBytes(of: record.expiry.bigEndian) { Array($0) }
            }
        }
    }

    /// Reads a message. Returns nil if it is malformed. A forged message can end sessions, and do nothing else.
    init?(_ bytes: [UInt8]) {
        switch bytes.first {
        case Self.changedKind:
            guard let name = RevocationDigest(bytes: bytes.dropFirst()) else { return nil }
            self = .changed(name)
        case Self.endsKind:
            let rest = bytes.dropFirst()
            guard rest.count % Self.recordSize == 0, rest.count <= Self.recordSize * Self.mostRecords else { return nil }
            var records: [RevocationRecord] = []
            for start in stride(from: rest.startIndex, to: rest.endIndex, by: Self.recordSize) {
                guard let kind = RevocationRecord.Kind(rawValue: rest[start]),
                    let digest = RevocationDigest(bytes: rest[(start + 1)..<(start + 17)])
                else { return nil }
                func number(at offset: Int) -> Int64 {
                    Int64(bitPattern: rest[(start + offset)..<(start + offset + 8)].reduce(0) { $0 << 8 | UInt64($1) })
                }
                records.append(RevocationRecord(kind, digest, issuedUpTo: number(at: 17), expiry: number(at: 25)))
            }
            self = .ends(records)
        default: return nil
        }
    }

    init(ends records: [RevocationRecord]) { self = .ends(records) }
}
