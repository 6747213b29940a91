import Exchanges
import Logging
import NIOConcurrencyHelpers
import NIOCore
import Proxy
import Server
import Telemetry

/// The active checks of one snapshot's upstreams, on an event loop of their own choosing.
final class UpstreamHealth: Sendable {
    private let upstreams: [UpstreamDefinition]
    private let log: NIOLockedValueBox<EventLog>
    private let checker: NIOLoopBoundBox<HealthChecker?>
    private let eventLoop: any EventLoop

    init(_ upstreams: [UpstreamDefinition], log: EventLog, group: any EventLoopGroup) {
        self.upstreams = upstreams
        self.log = NIOLockedValueBox(log)
        eventLoop = group.next()
        checker = NIOLoopBoundBox.makeEmptyBox(valueType: HealthChecker.self, eventLoop: eventLoop)
    }

    /// The checks go on under a configuration with another log.
    func adopt(_ log: EventLog) { self.log.withLockedValue { $0 = log } }

    func start() {
        guard upstreams.contains(where: { $0.health != nil }) else { return }
        eventLoop.execute { [self] in
            let checker = HealthChecker(upstreams, services: LoopServices(eventLoop: eventLoop)) { [log] change in
                log.withLockedValue { $0 }.write(
                    change.isHealthy ? .notice : .warning, change.isHealthy ? "upstream-healthy" : "upstream-unhealthy",
                    change.isHealthy ? "target passes its health checks again" : "target fails its health checks; it gets no requests",
                    [("upstream", .text(change.target)), ("finding", .text(change.finding))])
            }
            self.checker.value = checker
            checker.start()
        }
    }

    func stop() async {
        try? await eventLoop.submit { [self] in
            checker.value?.stop()
            checker.value = nil
        }.get()
    }

    /// The lines of `/readyz?verbose`: each target with its last failure. None of them makes the gateway unready.
    ///
    /// With `health`, the checks decide whether a target is healthy; else the last request does.
    func checks(now: NIODeadline = .now()) -> [Readiness.Check] {
        upstreams.flatMap { upstream in
            upstream.targets.map { target in
                let isHealthy = upstream.health == nil ? !target.isFailing : target.isHealthy
                let failure = target.lastFailure.map { (cause: $0.cause, age: (now - $0.at).nanoseconds / 1_000_000_000) }
                return Readiness.Check(
                    name: "upstream \(target.label)", isPassing: isHealthy, isRequired: false,
                    detail: failure.map { isHealthy ? "last error \($0.age) s ago: \($0.cause)" : "\($0.cause), \($0.age) s ago" } ?? "")
            }
        }
    }
}
