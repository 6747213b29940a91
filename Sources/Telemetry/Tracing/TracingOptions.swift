/// The tracing settings in OpenTelemetry's standard variables. Nothing is traced unless they name an endpoint.
package struct TracingOptions: Sendable, Equatable {
    package enum Sampler: Sendable, Equatable {
        case always
        case never
        /// Of the traces that start here, this share.
        case ratio(Double)
    }

    /// The reason why the variables are invalid.
    package struct Refusal: Error, Sendable, Equatable { package var reason: String }

    /// The URL that spans are posted to.
    package var endpoint: String
    package var headers: [String: String] = [:]
    package var serviceName = "gateway"
    package var resource: [String: String] = [:]
    package var sampler = Sampler.always
    /// A caller's decision is followed.
    package var followsParent = true
    package var queueSize = 2_048
    package var batchSize = 512
    /// Milliseconds between two exports.
    package var delay: Int64 = 5_000

    /// Each span takes memory until it is exported.
    private static let mostSpans = 1_000_000
    /// A day in milliseconds.
    private static let longestDelay: Int64 = 86_400_000

    package init(endpoint: String) { self.endpoint = endpoint }

    /// nil: tracing is off.
    package static func read(_ variable: (String) -> String?) throws(Refusal) -> TracingOptions? {
        func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        if value("OTEL_SDK_DISABLED")?.lowercased() == "true" { return nil }
        if let exporter = value("OTEL_TRACES_EXPORTER"), exporter != "otlp" {
            guard exporter == "none" else { throw Refusal(reason: "OTEL_TRACES_EXPORTER: only `otlp` and `none` are known") }
            return nil
        }
        let endpoint: String
        if let own = value("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") {
            endpoint = own
        } else if let base = value("OTEL_EXPORTER_OTLP_ENDPOINT") {
            endpoint = (base.hasSuffix("/") ? String(base.dropLast()) : base) + "/v1/traces"
        } else {
            return nil
        }
        guard endpoint.hasPrefix("http://") || endpoint.hasPrefix("https://") else {
            throw Refusal(reason: "OTEL_EXPORTER_OTLP_ENDPOINT must start with http:// or https://")
        }
        if (value("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") ?? value("OTEL_EXPORTER_OTLP_PROTOCOL")) == "grpc" {
            throw Refusal(reason: "OTEL_EXPORTER_OTLP_PROTOCOL: `grpc` is not spoken; use `http/json` and the collector's HTTP port (4318)")
        }
        var options = TracingOptions(endpoint: endpoint)
        options.headers = pairs(value("OTEL_EXPORTER_OTLP_TRACES_HEADERS") ?? value("OTEL_EXPORTER_OTLP_HEADERS") ?? "")
        options.resource = pairs(value("OTEL_RESOURCE_ATTRIBUTES") ?? "")
        options.serviceName = value("OTEL_SERVICE_NAME") ?? options.resource["service.name"] ?? options.serviceName
        options.resource["service.name"] = nil
        if let size = positive(value("OTEL_BSP_MAX_QUEUE_SIZE"), most: mostSpans) { options.queueSize = size }
        if let size = positive(value("OTEL_BSP_MAX_EXPORT_BATCH_SIZE"), most: mostSpans) { options.batchSize = size }
        if let delay = positive(value("OTEL_BSP_SCHEDULE_DELAY"), most: longestDelay) { options.delay = delay }
        try options.setSampler(value("OTEL_TRACES_SAMPLER") ?? "parentbased_always_on", value("OTEL_TRACES_SAMPLER_ARG"))
        return options
    }

    /// nil for a text that is no number of 64 bits, and for one below 1; a number above `most` counts as `most`.
    private static func positive<Number: FixedWidthInteger>(_ text: String?, most: Number) -> Number? {
        text.flatMap { Number($0) }.flatMap { $0 > 0 ? min($0, most) : nil }
    }

    private mutating func setSampler(_ name: String, _ argument: String?) throws(Refusal) {
        followsParent = name.hasPrefix("parentbased_")
        switch followsParent ? String(name.dropFirst("parentbased_".count)) : name {
        case "always_on": sampler = .always
        case "always_off": sampler = .never
        case "traceidratio":
            guard let ratio = Double(argument ?? "1"), (0...1).contains(ratio) else {
                throw Refusal(reason: "OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1")
            }
            sampler = .ratio(ratio)
        default:
            throw Refusal(
                reason:
                    "OTEL_TRACES_SAMPLER: `\(name)` is not known; use always_on, always_off, traceidratio or one of them behind parentbased_"
            )
        }
    }

    /// `key=value,key=value`, values percent-encoded (W3C Baggage).
    private static func pairs(_ text: String) -> [String: String] {
        var result: [String: String] = [:]
        for part in text.split(separator: ",") {
            let sides = part.split(separator: "=", maxSplits: 1).map { $0.trimmed }
            if sides.count == 2, !sides[0].isEmpty { result[sides[0]] = percentDecoded(sides[1]) }
        }
        return result
    }

    private static func percentDecoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Substring {
    fileprivate var trimmed: String {
        var rest = self
        while rest.first == " " { rest = rest.dropFirst() }
        while rest.last == " " { rest = rest.dropLast() }
        return String(rest)
    }
}
