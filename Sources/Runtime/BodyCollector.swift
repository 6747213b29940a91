import Exchanges
import HTTPWire
import NIOCore
import Server
import Telemetry

/// Takes a whole request body into memory, up to a limit, for our own endpoints.
final class BodyCollector: ExchangeDelegate {
    private var body = ByteBuffer()
    private let completion: (Exchange, [UInt8]) -> Void

    /// The request's, which has to be found again once the body is there.
    private let context = EventContext.current

    private init(completion: @escaping (Exchange, [UInt8]) -> Void) {
        self.completion = completion
    }

    /// Calls `completion` on the event loop once the body is complete; never when the client goes or breaks a rule, which the
    /// server answers by itself.
    static func collect(_ exchange: Exchange, limit: Int, completion: @escaping (Exchange, [UInt8]) -> Void) {
        exchange.delegate = BodyCollector(completion: completion)
        exchange.startBody(limit: limit)
    }

    func exchange(_ exchange: Exchange, received body: ByteBuffer) {
        self.body.writeImmutableBuffer(body)
    }

    func exchangeReadComplete(_ exchange: Exchange) {}

    func exchangeReceivedEnd(_ exchange: Exchange, trailers: ByteBuffer?) {
        exchange.delegate = nil
        EventContext.$current.withValue(context) { completion(exchange, Array(body.readableBytesView)) }
    }

    func exchange(_ exchange: Exchange, failed error: WireError) {}
    func exchange(_ exchange: Exchange, isWritable: Bool) {}
    func exchangeClosed(_ exchange: Exchange) {}
}
