/// One family of samples, as a scrape shows it.
package struct MetricFamily: Sendable {
    package enum Kind: String, Sendable { case counter, gauge, histogram }
    package enum Value: Sendable {
        case integer(Int)
        case number(Double)
        case histogram(DurationHistogram)
    }
    package struct Sample: Sendable {
        package var labels: [(name: String, value: String)]
        package var value: Value
    }

    /// Without `_total`.
    package var name: String
    package var kind: Kind
    package var help: String
    package var samples: [Sample] = []

    package init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }

    package mutating func add(_ value: Value, _ labels: (name: String, value: String)...) {
        samples.append(Sample(labels: labels, value: value))
    }
}

/// Writes families in the two text formats that Prometheus reads.
package enum MetricText {
    package enum Format: Sendable {
        /// Prometheus' own, version 0.0.4.
        case prometheus
        /// OpenMetrics 1.0.0.
        case openMetrics

        /// The one that a scraper asks for with `Accept`.
        package init(accept: String?) {
            let types = (accept ?? "").split(separator: ",").map { $0.split(separator: ";").first?.filter { $0 != " " } ?? "" }
            self = types.contains { $0.lowercased() == "application/openmetrics-text" } ? .openMetrics : .prometheus
        }

        package var contentType: String {
            switch self {
            case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
            case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
            }
        }
    }

    /// Families without samples are left out: a type alone says nothing.
    package static func render(_ families: [MetricFamily], as format: Format) -> String {
        var text = ""
        for family in families where !family.samples.isEmpty {
            let series = family.kind == .counter ? family.name + "_total" : family.name
            // OpenMetrics names the family without the suffix of its samples.
            let title = format == .openMetrics ? family.name : series
            text += "# HELP \(title) \(escapedHelp(family.help))\n# TYPE \(title) \(family.kind.rawValue)\n"
            for sample in family.samples { write(sample, series, into: &text) }
        }
        return format == .openMetrics ? text + "# EOF\n" : text
    }

    private static func write(_ sample: MetricFamily.Sample, _ name: String, into text: inout String) {
        switch sample.value {
        case .integer(let value): text += "\(name)\(labels(sample.labels)) \(value)\n"
        case .number(let value): text += "\(name)\(labels(sample.labels)) \(value)\n"
        case .histogram(let histogram):
            var sum: UInt64 = 0
            for (index, count) in histogram.buckets.enumerated() {
                sum += count
                let bound = index < DurationBounds.labels.count ? DurationBounds.labels[index] : "+Inf"
                text += "\(name)_bucket\(labels(sample.labels + [("le", bound)])) \(sum)\n"
            }
            text += "\(name)_sum\(labels(sample.labels)) \(Double(histogram.nanoseconds) / 1e9)\n"
            text += "\(name)_count\(labels(sample.labels)) \(sum)\n"
        }
    }

    private static func labels(_ labels: [(name: String, value: String)]) -> String {
        guard !labels.isEmpty else { return "" }
        return "{" + labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",") + "}"
    }

    /// A label's value: backslash, quote and line feed are escaped in both formats.
    package static func escaped(_ value: String) -> String {
        var result = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func escapedHelp(_ text: String) -> String { text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n") }
}
