import NIOConcurrencyHelpers

/// Collects spans and posts them, many at a time. A collector that is slow or gone costs spans, which are counted, and nothing else.
package final class Tracer: Sendable {
    /// Posts a JSON body to a URL with these headers; returns whether it was taken.
    package typealias Post = @Sendable (_ body: [UInt8], _ url: String, _ headers: [(String, String)]) async -> Bool

    package let options: TracingOptions
    private let version: String
    private let state = NIOLockedValueBox(State())

    private struct State {
        var spans: [Span] = []
        var dropped = 0
        var exported = 0
    }

    package init(_ options: TracingOptions, version: String) {
        self.options = options
        self.version = version
    }

    /// Whether a trace that starts here is recorded.
    package func samples(_ low: UInt64) -> Bool {
        switch options.sampler {
        case .always: true
        case .never: false
        case .ratio(let ratio): Double(low >> 1) < ratio * Double(UInt64(1) << 63)
        }
    }

    package func record(_ span: Span) {
        state.withLockedValue { state in
            if state.spans.count < options.queueSize { state.spans.append(span) } else { state.dropped += 1 }
        }
    }

    package var dropped: Int { state.withLockedValue { $0.dropped } }
    package var exported: Int { state.withLockedValue { $0.exported } }

    /// Posts what is there, again and again, until the task is cancelled; what is left then goes in one last attempt.
    package func export(over post: Post) async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(options.delay))
            await self.post(over: post)
        }
    }

    package func post(over post: Post) async {
        while true {
            let batch = state.withLockedValue { state -> [Span] in
                let batch = Array(state.spans.prefix(options.batchSize))
                state.spans.removeFirst(batch.count)
                return batch
            }
            if batch.isEmpty { return }
            let body = OTLPPayload.render(batch, options, version: version)
            let isTaken = await post(body, options.endpoint, options.headers.map { ($0.key, $0.value) })
            state.withLockedValue { if isTaken { $0.exported += batch.count } else { $0.dropped += batch.count } }
            if !isTaken { return }
        }
    }
}
