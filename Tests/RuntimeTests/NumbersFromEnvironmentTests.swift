import FuzzTargets
import Process
import Telemetry
import Testing

@testable import Runtime

/// The numbers of the process's environment (docs/numbers.md), with the extremes of their types.
@Suite struct NumbersFromEnvironmentTests {
    @Test("No number of the environment traps or is taken beyond its bound", arguments: HostileNumber.texts)
    func extremes(number: String) throws {
        let environment = [
            "OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_BSP_MAX_QUEUE_SIZE": number, "OTEL_BSP_MAX_EXPORT_BATCH_SIZE": number,
            "OTEL_BSP_SCHEDULE_DELAY": number, "WATCHDOG_USEC": number, "LISTEN_PID": "42", "LISTEN_FDS": number,
        ]
        let options = try #require(try TracingOptions.read { environment[$0] })
        #expect((1...1_000_000).contains(options.queueSize))
        #expect((1...1_000_000).contains(options.batchSize))
        #expect((1...86_400_000).contains(options.delay))
        let manager = ServiceManager(variable: { environment[$0] }, process: 42)
        #expect(manager.sockets.count <= 64)
        _ = manager.watchdogMicroseconds.map { Duration.microseconds(Int64($0 / 2)) }
        let sampled = try? TracingOptions.read { name in
            name == "OTEL_TRACES_SAMPLER" ? "traceidratio" : name == "OTEL_TRACES_SAMPLER_ARG" ? number : environment[name]
        }
        if let sampled { #expect(sampled.queueSize > 0) }
    }

    @Test("A number beyond its bound counts as the bound")
    func clamped() throws {
        let options = try #require(
            try TracingOptions.read { name in
                name == "OTEL_EXPORTER_OTLP_ENDPOINT" ? "http://c:4318" : name.hasPrefix("OTEL_BSP_") ? "\(Int64.max)" : nil
            })
        #expect(options.queueSize == 1_000_000)
        #expect(options.batchSize == 1_000_000)
        #expect(options.delay == 86_400_000)
    }
}
