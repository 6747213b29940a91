package import Diagnostics

extension ConfigurationBuilder {
    /// Nil if no target could be read.
    func upstream(_ item: Item, from source: SourceFile) -> UpstreamConfiguration? {
        guard let object = item.object else {
            let targets = Self.targets(item)
            return targets.isEmpty ? nil : UpstreamConfiguration(targets: targets)
        }
        let targets = object["targets"].map(Self.targets) ?? []
        guard !targets.isEmpty else { return nil }
        var result = UpstreamConfiguration(targets: targets)
        if let tls = object["tls"]?.object { result.tls = UpstreamTLSConfiguration(tls, from: source) }
        if let health = object["health"]?.object, let path = health["path"]?.text {
            var check = HealthConfiguration(path: path)
            check.interval = health["interval"]?.milliseconds ?? check.interval
            check.timeout = health["timeout"]?.milliseconds ?? check.timeout
            check.healthyAfter = integer(health["healthyAfter"]) ?? check.healthyAfter
            check.unhealthyAfter = integer(health["unhealthyAfter"]) ?? check.unhealthyAfter
            result.health = check
        }
        if let ejection = object["ejection"]?.object {
            result.ejection.failures = integer(ejection["failures"]) ?? result.ejection.failures
            result.ejection.duration = ejection["for"]?.milliseconds ?? result.ejection.duration
        }
        result.maxConnections = integer(object["maxConnections"])
        return result
    }

    private static func targets(_ item: Item) -> [UpstreamAddress] {
        item.oneOrMany.compactMap { if case .upstream(let address) = $0.scalar { address } else { nil } }
    }

}

extension UpstreamTLSConfiguration {
    /// Reads the mapping `tls`. Relative paths start at the configuration file, like those of `${file:…}`.
    package init(_ object: ObjectValue, from source: SourceFile) {
        func path(_ key: String) -> String? { object[key]?.text.map { source.resolving($0) } }
        authority = path("authority")
        certificate = path("certificate")
        key = path("key")
        serverName = object["serverName"]?.text
    }
}

extension Configuration {
    /// The distinct upstreams: the top-level one, then those of the routes in file order.
    package var upstreams: [UpstreamConfiguration] {
        var seen = Set<UpstreamConfiguration>()
        return ([upstream] + routes.map(\.upstream)).compactMap(\.self).filter { seen.insert($0).inserted }
    }
}
