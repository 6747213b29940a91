package import Exchanges
package import HTTPWire
package import NIOCore
import Sessions
import Telemetry

/// Takes a whole request body into memory, up to a limit, for our own endpoints.
package final class BodyCollector: ExchangeDelegate {
    private var body = ByteBuffer()
    private let completion: (Exchange, [UInt8]) -> Void

    /// The request's, which has to be found again once the body is there.
    private let context = EventContext.current
    private let budget = StoreBudget.current

    private init(completion: @escaping (Exchange, [UInt8]) -> Void) {
        self.completion = completion
    }

    /// Calls `completion` on the event loop once the body is complete; never when the client goes or breaks a rule, which the
    /// server answers by itself.
    package static func collect(_ exchange: Exchange, limit: Int, completion: @escaping (Exchange, [UInt8]) -> Void) {
        exchange.delegate = BodyCollector(completion: completion)
        exchange.startBody(limit: limit)
    }

    package func exchange(_ exchange: Exchange, received body: ByteBuffer) {
        self.body.writeImmutableBuffer(body)
    }

    package func exchangeReadComplete(_ exchange: Exchange) {}

    package func exchangeReceivedEnd(_ exchange: Exchange, trailers: ByteBuffer?) {
        exchange.delegate = nil
        EventContext.$current.withValue(context) {
            StoreBudget.$current.withValue(budget) { completion(exchange, Array(body.readableBytesView)) }
        }
    }

    package func exchange(_ exchange: Exchange, failed error: WireError) {}
    package func exchange(_ exchange: Exchange, isWritable: Bool) {}
    package func exchangeClosed(_ exchange: Exchange) {}
}
