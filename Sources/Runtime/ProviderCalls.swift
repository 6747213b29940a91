import Decisions
import Backchannel
import NIOConcurrencyHelpers
import Providers
import Telemetry

/// Counts and traces the calls to identity providers. The transport outlives a reload, so it learns anew whose URLs are whose.
final class ProviderCalls: Sendable {
    private let operations: Operations
    private let clients = NIOLockedValueBox<[ProviderClient]>([])

    init(_ operations: Operations) { self.operations = operations }

    func adopt(_ clients: [String: ProviderClient]) {
        self.clients.withLockedValue { $0 = clients.sorted { $0.key < $1.key }.map(\.value) }
    }

    func ended(_ call: ProviderCall) {
        var provider = ""
        var endpoint = "other"
        for client in clients.withLockedValue({ $0 }) {
            guard let purpose = client.purpose(of: call.url) else { continue }
            (provider, endpoint) = (client.settings.id, purpose)
            break
        }
        operations.counters.add(.providerRequests, provider, endpoint, call.outcome.rawValue)
        operations.counters.providerCall(provider: provider, endpoint: endpoint, nanoseconds: call.nanoseconds)
        guard let tracer = operations.tracer, let context = EventContext.current, context.trace.isSampled else { return }
        let end = UnixTime.nanoseconds()
        var attributes: [(name: String, value: Span.Value)] = [
            ("http.request.method", .text(call.method)), ("url.full", .text(call.url)), ("gateway.provider", .text(provider)),
            ("gateway.endpoint", .text(endpoint)),
        ]
        if let status = call.status { attributes.append(("http.response.status_code", .number(status))) }
        if call.outcome != .success { attributes.append(("error.type", .text(call.status.map { "\($0)" } ?? call.outcome.rawValue))) }
        tracer.record(
            Span(
                traceHigh: context.trace.high, traceLow: context.trace.low, id: UInt64.random(in: 1 ... .max), parent: context.trace.span,
                kind: .client, name: "\(call.method) \(endpoint)", start: end - min(end, call.nanoseconds), end: end,
                attributes: attributes,
                isError: call.outcome != .success))
    }
}
