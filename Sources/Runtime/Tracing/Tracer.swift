import Backchannel
import NIOConcurrencyHelpers

/// Collects spans and posts them, many at a time. A collector that is slow or gone costs spans, which are counted, and nothing else.
final class Tracer: Sendable {
    let options: TracingOptions
    private let version: String
    private let state = NIOLockedValueBox(State())

    private struct State {
        var spans: [Span] = []
        var dropped = 0
        var exported = 0
    }

    init(_ options: TracingOptions, version: String) {
        self.options = options
        self.version = version
    }

    /// Whether a trace that starts here is recorded.
    func samples(_ low: UInt64) -> Bool {
        switch options.sampler {
        case .always: true
        case .never: false
        case .ratio(let ratio): Double(low >> 1) < ratio * Double(UInt64(1) << 63)
        }
    }

    func record(_ span: Span) {
        state.withLockedValue { state in
            if state.spans.count < options.queueSize { state.spans.append(span) } else { state.dropped += 1 }
        }
    }

    var dropped: Int { state.withLockedValue { $0.dropped } }
    var exported: Int { state.withLockedValue { $0.exported } }

    /// Posts what is there, again and again, until the task is cancelled; what is left then goes in one last attempt.
    func export(over transport: ProviderTransport) async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(options.delay))
            await post(over: transport)
        }
    }

    func post(over transport: ProviderTransport) async {
        while true {
            let batch = state.withLockedValue { state -> [Span] in
                let batch = Array(state.spans.prefix(options.batchSize))
                state.spans.removeFirst(batch.count)
                return batch
            }
            if batch.isEmpty { return }
            let body = OTLPPayload.render(batch, options, version: version)
            let isTaken = await transport.postJSON(body, to: options.endpoint, headers: options.headers.map { ($0.key, $0.value) })
            state.withLockedValue { if isTaken { $0.exported += batch.count } else { $0.dropped += batch.count } }
            if !isTaken { return }
        }
    }
}
