import Decisions
import HTTPWire
import NIOCore
package import Exchanges

/// Asks the targets of the upstreams that have a `health` rule whether they work; one for the whole process, on one event loop.
///
/// Writes its verdict to `UpstreamTarget.isHealthy`, which every event loop reads when it chooses among several targets.
/// A check goes the way of a request: TLS, ALPN, the same strictness. Any 2xx is good; a redirect is not.
package final class HealthChecker {
    /// A target's verdict has changed.
    package struct Change: Sendable {
        package var target: String
        package var isHealthy: Bool
        /// The result of the last check: `503`, `no answer`.
        package var finding: String
    }

    private final class Check {
        let target: UpstreamTarget
        let rule: HealthRule
        let pool: UpstreamPool
        var health = CheckedHealth()
        var task: RepeatedTask?
        var running: DetachedExchange?

        init(_ target: UpstreamTarget, _ rule: HealthRule, _ services: LoopServices) {
            self.target = target
            self.rule = rule
            var settings = UpstreamSettings()
            settings.connectTimeout = rule.timeout
            settings.responseTimeout = rule.timeout
            settings.idleTimeout = rule.timeout
            settings.keepAlive = max(1_000, rule.interval + 1_000)
            settings.idleConnections = 1
            pool = UpstreamPool(target: target, settings: settings, services: services)
        }
    }

    private let services: LoopServices
    private let checks: [Check]
    private let onChange: (Change) -> Void

    /// On the event loop of `services`, as is every other call.
    package init(_ upstreams: [UpstreamDefinition], services: LoopServices, onChange: @escaping (Change) -> Void) {
        self.services = services
        self.onChange = onChange
        checks = upstreams.flatMap { upstream in
            guard let rule = upstream.health else { return [Check]() }
            return upstream.targets.map { Check($0, rule, services) }
        }
    }

    package func start() {
        for check in checks {
            let bound = NIOLoopBound((self, check), eventLoop: services.eventLoop)
            check.task = services.eventLoop.scheduleRepeatedTask(
                initialDelay: .zero, delay: .milliseconds(check.rule.interval)
            ) { _ in bound.value.0.ask(bound.value.1) }
        }
    }

    package func stop() {
        for check in checks {
            check.task?.cancel()
            check.task = nil
            if let exchange = check.running { exchange.delegate?.exchangeClosed(exchange) }
            check.pool.drain()
        }
    }

    private func ask(_ check: Check) {
        if let late = check.running {
            // An answer that never ends is none.
            check.running = nil
            late.delegate?.exchangeClosed(late)
            record(check, false, "the response did not end")
        }
        let observer = Failures()
        let exchange = DetachedExchange(eventLoop: services.eventLoop) { [unowned self] status in
            guard check.running != nil else { return }
            check.running = nil
            let isGood = status.map { (200..<300).contains($0) } ?? false
            record(check, isGood, status.map(String.init) ?? observer.last?.words ?? "no answer")
        }
        observer.exchange = exchange
        check.running = exchange
        check.pool.forward(.check(check.rule.path, at: check.target.authority), of: exchange, observer: observer)
    }

    private func record(_ check: Check, _ isGood: Bool, _ finding: String) {
        // After the pool's own note: an answer with a bad status is a success there.
        if !isGood { check.target.noteFailure("health check: \(finding)") }
        guard check.health.record(isGood, check.rule) else { return }
        check.target.isHealthy = check.health.isHealthy
        onChange(Change(target: check.target.label, isHealthy: check.health.isHealthy, finding: finding))
    }

    /// Ends the exchange of a check that got no answer.
    private final class Failures: ForwardObserver {
        func connectionOwner(of exchange: Exchange) -> ConnectionOwner? { nil }
        weak var exchange: DetachedExchange?
        private(set) var last: ForwardFailure?

        /// A check belongs to no session.
        func forward(_ exchange: Exchange, opened response: LongResponse) {}

        func forward(_ exchange: Exchange, failed failure: ForwardFailure) {
            last = failure
            self.exchange?.fail()
        }

        func forward(_ exchange: Exchange, cutOff failure: ForwardFailure) { last = failure }
    }
}

extension ForwardedRequest {
    /// A health check request. It carries no identity and no data of users, so it needs no permit.
    static func check(_ path: String, at authority: String) -> ForwardedRequest {
        let head = "GET \(path) HTTP/1.1\r\nHost: \(authority)\r\nUser-Agent: gateway-health\r\nAccept: */*\r\n\r\n"
        return ForwardedRequest(
            head: ByteBuffer(string: head), method: .get, framing: .none, bodyLimit: nil,
            response: ResponseEdits(addedLines: nil, isPrivate: false, cookies: GatewayCookieNames { _ in false }))
    }
}
