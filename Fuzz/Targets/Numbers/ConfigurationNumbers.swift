import Config
import Diagnostics
import Lint

/// Every duration, size and count of a configuration at once, in the largest and the smallest unit.
enum ConfigurationNumbers {
    /// A hundred years in milliseconds.
    private static let longest: Int64 = 36_500 * 86_400_000

    static func check(_ number: String) throws(Broken) {
        for (duration, size) in [("d", "GiB"), ("ms", "B"), ("", "")] {
            let text = configuration(number, duration: number + duration, size: number + size)
            try ConfigurationTarget.check(Array(text.utf8))
            let source = SourceFile(name: "gateway.yaml", bytes: Array(text.utf8))
            guard let configuration = Linter.check(source, surroundings: ConfigurationTarget.surroundings).configuration else { continue }
            let timeouts = configuration.server.timeouts
            let session = configuration.session
            for time in [timeouts.header, timeouts.idle, timeouts.shutdown, session.idleTimeout, session.absoluteTimeout] {
                try hold((0...longest).contains(time), "a duration of \(time) ms is accepted")
            }
            try hold(configuration.server.limits.bodyBytes ?? 0 >= 0, "a size below 0 is accepted")
        }
    }

    private static func configuration(_ number: String, duration: String, size: String) -> String {
        """
        version: 1
        server:
          publicURL: https://app.example.com
          listen: 127.0.0.1:\(number)
          trustedProxies: [10.0.0.0/\(number)]
          limits:
            headerBytes: \(size)
            headerCount: \(number)
            bodyBytes: \(size)
            connections: \(number)
            connectionsPerAddress: \(number)
            bodyRate: \(size)
          timeouts:
            header: \(duration)
            idle: \(duration)
            rateWindow: \(duration)
            upstreamConnect: \(duration)
            upstreamResponse: \(duration)
            shutdown: \(duration)
            drainDelay: \(duration)
        upstream:
          targets: ["http://127.0.0.1:\(number)", "http://127.0.0.1:8081"]
          health: { path: /, interval: \(duration), timeout: \(duration), healthyAfter: \(number), unhealthyAfter: \(number) }
          ejection: { failures: \(number), for: \(duration) }
        providers:
          - id: oidc.acme
            issuer: https://auth.example.com
            clientID: acme-web
            clientSecret: ${env:ACME_CLIENT_SECRET}
            customParameters: { max_age: "\(number.filter { $0 != "\"" && $0 != "\\" })" }
        session:
          keys: ["${file:./session.key}"]
          idleTimeout: \(duration)
          absoluteTimeout: \(duration)
        identity:
          assertion: { lifetime: \(duration) }
        routes:
          - path: /a/**
            access: { maxAge: \(duration) }
            timeouts: { idle: \(duration), upstreamResponse: \(duration) }
            limits: { bodyBytes: \(size), bodyRate: \(size) }
            cors: { origins: [https://b.example], maxAge: \(duration) }
          - path: /b
            access: public
            respond: { status: \(number) }
        """
    }
}
