import Logging
import NIOConcurrencyHelpers
import NIOCore
import Proxy
import Server

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
                    change.isHealthy ? "a target answers its health checks again" : "a target fails its health checks",
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

    /// What `/readyz?verbose` says; a target that fails its checks does not make the gateway unready.
    var checks: [Readiness.Check] {
        upstreams.filter { $0.health != nil }.flatMap(\.targets).map { target in
            .init(
                name: "upstream \(target.label)", isPassing: target.isHealthy, isRequired: false,
                detail: target.isHealthy ? "" : "it fails its health checks")
        }
    }
}
