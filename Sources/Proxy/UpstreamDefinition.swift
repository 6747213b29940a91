package import NIOCore
import Synchronization

/// An app as all event loops know it: its addresses, how they are reached, what the health checks say of them.
package final class UpstreamDefinition: Sendable {
    package let targets: [UpstreamTarget]
    package let ejection: PassiveHealth.Rule
    package let health: HealthRule?

    package init(targets: [UpstreamTarget], ejection: PassiveHealth.Rule = .init(), health: HealthRule? = nil) {
        precondition(!targets.isEmpty, "an upstream has a target")
        self.targets = targets
        self.ejection = ejection
        self.health = health
    }
}

/// The last failure of a target, for `/readyz?verbose`.
package struct TargetFailure: Sendable {
    /// The reason with its detail: `upstream-connect-failed: 127.0.0.1:3000: ECONNREFUSED (Connection refused)`.
    package let cause: String
    package let at: NIODeadline
}

/// The address of an upstream.
package enum UpstreamEndpoint: Sendable, Hashable {
    case tcp(host: String, port: Int)
    case unix(path: String)
}

/// One address of an app. What is fixed belongs to everybody; connections belong to each event loop's `UpstreamPool`.
package final class UpstreamTarget: Sendable {
    package enum Transport: Sendable {
        /// HTTP/1.1 in clear text.
        case plain
        /// HTTP/2 in clear text, by prior knowledge (RFC 9113 section 3.3).
        case http2
        /// HTTP/2 or HTTP/1.1, whichever the upstream chooses by ALPN.
        case tls(UpstreamTLS)
    }

    package let endpoint: UpstreamEndpoint
    package let transport: Transport
    /// The target as it is configured, for logs.
    package let label: String
    /// `Host` of a health check.
    let authority: String
    /// Nil: as many connections as there are requests.
    let connectionLimit: ConnectionLimit?
    private let passesChecks = Atomic<Bool>(true)
    private let lastAttemptFailed = Atomic<Bool>(false)
    private let failure = Mutex<TargetFailure?>(nil)

    /// `maxConnections`: of the whole process; nil: no limit.
    package init(endpoint: UpstreamEndpoint, transport: Transport, label: String, maxConnections: Int? = nil) {
        self.endpoint = endpoint
        self.transport = transport
        self.label = label
        connectionLimit = maxConnections.map { ConnectionLimit(most: $0) }
        switch endpoint {
        case .tcp(let host, let port): authority = "\(host):\(port)"
        case .unix: authority = "localhost"
        }
    }

    /// The verdict of the active checks; true without any.
    package var isHealthy: Bool {
        get { passesChecks.load(ordering: .relaxed) }
        set { passesChecks.store(newValue, ordering: .relaxed) }
    }

    /// Whether the last request, on any event loop, got no usable answer.
    package var isFailing: Bool { lastAttemptFailed.load(ordering: .relaxed) }

    /// The last failure, also after the target has recovered.
    package var lastFailure: TargetFailure? { failure.withLock { $0 } }

    func noteFailure(_ cause: String) {
        failure.withLock { $0 = TargetFailure(cause: cause, at: .now()) }
        lastAttemptFailed.store(true, ordering: .relaxed)
    }

    /// A response head arrived. Writes only after a failure, so that event loops do not share a cache line that changes.
    @inline(__always)
    func noteSuccess() {
        if lastAttemptFailed.load(ordering: .relaxed) { lastAttemptFailed.store(false, ordering: .relaxed) }
    }

    var isPlain: Bool { if case .plain = transport { true } else { false } }
    var scheme: String { if case .tls = transport { "https" } else { "http" } }
}

/// The settings of a target's health checks. Times are milliseconds.
package struct HealthRule: Sendable, Equatable {
    package var path: String
    package var interval: Int64
    package var timeout: Int64
    package var healthyAfter: Int
    package var unhealthyAfter: Int
    package init(path: String, interval: Int64, timeout: Int64, healthyAfter: Int, unhealthyAfter: Int) {
        self.path = path
        self.interval = interval
        self.timeout = timeout
        self.healthyAfter = healthyAfter
        self.unhealthyAfter = unhealthyAfter
    }
}
