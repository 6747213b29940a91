import HTTPWire
import NIOCore
import Server

/// Takes a whole request body into memory, up to a limit, for our own endpoints.
final class BodyCollector: ExchangeDelegate {
    private var body = ByteBuffer()
    private let completion: (Exchange, [UInt8]) -> Void
    /// Keeps itself alive while it is an exchange's delegate, which holds it weakly.
    private var selfReference: BodyCollector?

    private init(completion: @escaping (Exchange, [UInt8]) -> Void) {
        self.completion = completion
    }

    /// Calls `completion` on the event loop once the body is complete; never when the client goes or breaks a rule, which the
    /// server answers by itself.
    static func collect(_ exchange: Exchange, limit: Int, completion: @escaping (Exchange, [UInt8]) -> Void) {
        let collector = BodyCollector(completion: completion)
        collector.selfReference = collector
        exchange.delegate = collector
        exchange.startBody(limit: limit)
    }

    func exchange(_ exchange: Exchange, received body: ByteBuffer) {
        self.body.writeImmutableBuffer(body)
    }

    func exchangeReceivedEnd(_ exchange: Exchange) {
        exchange.delegate = nil
        selfReference = nil
        completion(exchange, Array(body.readableBytesView))
    }

    func exchange(_ exchange: Exchange, failed error: WireError) { selfReference = nil }
    func exchange(_ exchange: Exchange, isWritable: Bool) {}
    func exchangeClosed(_ exchange: Exchange) { selfReference = nil }
}
