import HTTPWire
import NIOCore
import Exchanges

/// A request that waits for a connection: until one is open, or until one may be opened.
final class WaitingRequest: ExchangeDelegate, DeadlineOwner {
    let request: ForwardedRequest
    private(set) var exchange: Exchange?
    let observer: any ForwardObserver
    private let pool: UpstreamPool
    /// Its position in the queue of a `ConnectionLimit`; nil while it waits for a connection that is being opened.
    private var queueEntry: (number: UInt64, limit: ConnectionLimit, deadline: Deadline)?

    init(_ request: ForwardedRequest, _ exchange: Exchange, _ observer: any ForwardObserver, pool: UpstreamPool) {
        self.request = request
        self.exchange = exchange
        self.observer = observer
        self.pool = pool
        pool.inFlight += 1
        exchange.delegate = self
    }

    /// Ends the wait and returns the exchange; nil when its client has disconnected.
    func take() -> Exchange? {
        leaveQueue()
        guard let exchange else { return nil }
        self.exchange = nil
        pool.inFlight -= 1
        exchange.delegate = nil
        return exchange
    }

    // MARK: The queue

    func entered(_ limit: ConnectionLimit, as number: UInt64) {
        let deadline = Deadline()
        deadline.owner = self
        pool.wheel.set(deadline, milliseconds: pool.settings.connectTimeout)
        queueEntry = (number, limit, deadline)
        pool.queued[number] = self
    }

    private func leaveQueue() {
        guard let (number, limit, deadline) = queueEntry.take() else { return }
        pool.wheel.cancel(deadline)
        pool.queued[number] = nil
        limit.cancel(number)
    }

    func deadlineExpired() {
        guard let exchange = take() else { return }
        pool.refuse(exchange, observer, "`maxConnections` are in use")
    }

    // MARK: ExchangeDelegate

    func exchange(_ exchange: Exchange, received body: ByteBuffer) {}
    func exchangeReadComplete(_ exchange: Exchange) {}
    func exchangeReceivedEnd(_ exchange: Exchange, trailers: ByteBuffer?) {}
    func exchange(_ exchange: Exchange, failed error: WireError) { _ = take() }
    func exchange(_ exchange: Exchange, isWritable: Bool) {}
    func exchangeClosed(_ exchange: Exchange) { _ = take() }
}
