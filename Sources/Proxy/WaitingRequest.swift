import HTTPWire
import NIOCore
import Server

/// A request that waits for a connection: until one is open, or until one may be opened.
final class WaitingRequest: ExchangeDelegate, DeadlineOwner {
    let request: ForwardedRequest
    private(set) var exchange: Exchange?
    let observer: any ForwardObserver
    private let pool: UpstreamPool
    /// While it waits until a connection may be opened.
    private var place: (number: UInt64, limit: ConnectionLimit, deadline: Deadline)?

    init(_ request: ForwardedRequest, _ exchange: Exchange, _ observer: any ForwardObserver, pool: UpstreamPool) {
        self.request = request
        self.exchange = exchange
        self.observer = observer
        self.pool = pool
        pool.inFlight += 1
        exchange.delegate = self
    }

    /// The exchange, which waits no longer; nil when its client has gone.
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
        place = (number, limit, deadline)
        pool.queued[number] = self
    }

    private func leaveQueue() {
        guard let (number, limit, deadline) = place.take() else { return }
        pool.wheel.cancel(deadline)
        pool.queued[number] = nil
        limit.cancel(number)
    }

    func deadlineExpired() {
        guard let exchange = take() else { return }
        pool.refuse(exchange, observer, "every connection that the target may have stayed in use")
    }

    // MARK: ExchangeDelegate

    func exchange(_ exchange: Exchange, received body: ByteBuffer) {}
    func exchangeReadComplete(_ exchange: Exchange) {}
    func exchangeReceivedEnd(_ exchange: Exchange, trailers: ByteBuffer?) {}
    func exchange(_ exchange: Exchange, failed error: WireError) { _ = take() }
    func exchange(_ exchange: Exchange, isWritable: Bool) {}
    func exchangeClosed(_ exchange: Exchange) { _ = take() }
}
