import Decisions
import Exchanges
import HTTPWire
import NIOCore

// What connections and streams to upstreams do alike with the exchange that they serve.

/// What the client can take.
enum ClientState {
    case ready, full

    init(_ exchange: Exchange) { self = exchange.isWritable ? .ready : .full }
}

/// What an exchange that cannot be completed has got.
enum ExchangeFailure {
    /// No request is served, or nothing is missing.
    case none
    /// The response had begun.
    case cutOff
    case unanswered(RetryPolicy.Progress)
}

extension ForwardedRequest {
    /// Lets the body follow the head: first the part that was sent on another connection. `isReused`: the connection has served an exchange
    /// before, and may be about to be closed.
    func startBody(of exchange: Exchange, on connection: some ExchangeDelegate, isReused: Bool) {
        guard let replay = takeReplay() else {
            if isReused { keepBody() }
            return exchange.startBody(limit: bodyLimit)
        }
        if replay.bytes.readableBytes > 0 { connection.exchange(exchange, received: replay.bytes) }
        if replay.isComplete {
            connection.exchangeReceivedEnd(exchange, trailers: replay.trailers)
        } else {
            exchange.pauseBody(false)
        }
    }

    /// Sends an interim response on.
    func sendInterim(_ head: ResponseHead, on exchange: Exchange) {
        exchange.sendInterim(status: head.status) { ResponseWriter.copyFields(of: head, response, into: &$0) }
    }
}
