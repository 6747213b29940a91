import Config
import Exchanges
import Logging
import Process
import Proxy
import Server

extension UpstreamDefinition {
    /// Reads the TLS files, each set once.
    static func all(of configured: [UpstreamConfiguration]) throws(UpstreamTLSProblem) -> [UpstreamDefinition] {
        var contexts: [UpstreamTLSFiles: UpstreamTLSContexts] = [:]
        var result: [UpstreamDefinition] = []
        for upstream in configured {
            let files = UpstreamTLSFiles(upstream.tls)
            if contexts[files] == nil, upstream.targets.contains(where: { $0.scheme == .https }) {
                contexts[files] = try UpstreamTLSContexts(files)
            }
            result.append(UpstreamDefinition(upstream, contexts[files]))
        }
        return result
    }

    private convenience init(_ upstream: UpstreamConfiguration, _ contexts: UpstreamTLSContexts?) {
        var ejection = PassiveHealth.Rule()
        ejection.failures = upstream.ejection.failures
        ejection.duration = upstream.ejection.duration
        let health = upstream.health.map {
            HealthRule(
                path: $0.path, interval: $0.interval, timeout: $0.timeout, healthyAfter: $0.healthyAfter, unhealthyAfter: $0.unhealthyAfter)
        }
        self.init(
            targets: upstream.targets.map { UpstreamTarget($0, contexts, of: upstream) }, ejection: ejection, health: health)
    }
}

extension UpstreamDefinition {
    /// Tells two configured upstreams apart, the versions of their TLS files included.
    static func fingerprint(_ upstream: UpstreamConfiguration) -> [UInt8] {
        ValueFingerprint.of((upstream, upstream.tls.files.map { FileIdentity(path: $0) }))
    }

    /// Keeps the upstreams of an earlier snapshot whose settings are the same, with their targets' health.
    static func continuing(_ earlier: Snapshot?, with made: [UpstreamDefinition], fingerprints: [[UInt8]]) -> [UpstreamDefinition] {
        zip(made, fingerprints).map { definition, fingerprint in
            earlier.flatMap { earlier in earlier.upstreamFingerprints.firstIndex(of: fingerprint).map { earlier.upstreams[$0] } }
                ?? definition
        }
    }
}

extension UpstreamTLSConfiguration {
    /// The files that it names.
    var files: [String] { [authority, certificate, key].compactMap { $0 } }
}

extension UpstreamTarget {
    fileprivate convenience init(_ address: UpstreamAddress, _ contexts: UpstreamTLSContexts?, of upstream: UpstreamConfiguration) {
        let transport: Transport
        switch (address.scheme, address.endpoint, contexts) {
        case (.h2c, _, _): transport = .http2
        case (.https, .tcp(let host, _), .some(let contexts)):
            transport = .tls(UpstreamTLS(contexts, host: host, serverName: upstream.tls.serverName))
        default: transport = .plain
        }
        self.init(
            endpoint: UpstreamEndpoint(address.endpoint), transport: transport, label: address.text, maxConnections: upstream.maxConnections
        )
    }
}

extension UpstreamEndpoint {
    fileprivate init(_ address: ListenAddress) {
        switch address {
        case .tcp(let host, let port): self = .tcp(host: host, port: port)
        case .unix(let path): self = .unix(path: path)
        }
    }
}

extension UpstreamTLSFiles {
    init(_ tls: UpstreamTLSConfiguration) {
        self.init(authority: tls.authority, certificate: tls.certificate, key: tls.key)
    }
}

extension Snapshot {
    var upstreamSettings: UpstreamSettings {
        var settings = UpstreamSettings()
        let timeouts = configuration.server.timeouts
        settings.connectTimeout = timeouts.upstreamConnect
        settings.responseTimeout = timeouts.upstreamResponse
        settings.idleTimeout = timeouts.idle
        return settings
    }
}
