import Config
import Exchanges
import NIOConcurrencyHelpers
import NIOCore
import Server
import Serving
import Telemetry

/// The state of the process that the admin listener shows.
struct ProcessStatus: Sendable {
    enum Phase: Sendable {
        /// The admin listener answers before the others are open.
        case opening
        case serving
        case draining
    }

    let served: NIOLockedValueBox<GatewayCore>
    let reload = NIOLockedValueBox(ReloadStatus(servedSince: wallClock()))
    let phase = NIOLockedValueBox(Phase.opening)
    let loops = NIOLockedValueBox<[NIOLoopBound<Listener.Loop>]>([])

    init(_ core: GatewayCore) { served = NIOLockedValueBox(core) }

    /// The content of `/readyz`.
    func readiness() -> Readiness {
        var readiness = served.withLockedValue { $0 }.readiness()
        readiness.checks.append(reload.withLockedValue { $0 }.check(now: wallClock()))
        switch phase.withLockedValue({ $0 }) {
        case .opening: readiness.checks.append(.init(name: "listeners", isPassing: false, isRequired: true, detail: "not open yet"))
        case .serving: break
        case .draining: readiness.checks.append(.init(name: "shutdown", isPassing: false, isRequired: true, detail: "draining"))
        }
        return readiness
    }

    /// What serves `/sessions`; nil without `admin.token`.
    func adminSessions() -> AdminSessions? {
        let core = served.withLockedValue { $0 }
        return AdminSessions(
            token: core.snapshot.configuration.admin.token?.exposed, sessions: core.serving.sessions, log: core.log)
    }

    /// The content of `/metrics`, with the sum of all event loops' counters, each read on its own loop.
    func metrics() async -> [MetricFamily] {
        var sum = LoopFigures()
        for loop in loops.withLockedValue({ $0 }) {
            let figures = try? await loop.eventLoop.submit { (loop.value.handler as? LoopHandler)?.resources.figures }.get()
            if let figures = figures ?? nil { sum.add(figures) }
        }
        return await MetricsPage(sum, served.withLockedValue { $0 }, reload.withLockedValue { $0 }).families
    }
}
