package import Exchanges
package import HTTPWire
package import NIOCore

/// Decides what happens with a request. One for each event loop; called on that loop only.
package protocol RequestHandler: AnyObject {
    /// A head that was parsed strictly. The handler answers now or later, exactly once.
    func handle(_ exchange: Exchange)
    /// A message that was refused while it was read; `exchange.head` may be empty. The handler writes the answer; the
    /// connection is closed after it. `resemblesBrowser`: what was received looks like a browser's request.
    func refuse(_ exchange: Exchange, _ error: WireError, resemblesBrowser: Bool)
    /// The request head, or the body, took too long.
    func refuseLate(_ exchange: Exchange)
    /// A client sent something that was no TLS handshake, or one that came to nothing.
    func handshakeFailed(_ peer: PeerAddress, reason: String)
    /// So many idle connections were closed because the process runs out of descriptors.
    func closedIdleConnections(_ count: Int)
    /// A connection was closed before its first request.
    func refusedConnection(_ refusal: ConnectionRefusal, from peer: PeerAddress)
    /// The system gives no connection, most often because the process may open no more files; it is asked again in a second.
    func acceptFailed(_ error: IOError)
    /// Called when a response has ended or its client has disconnected, for the access log and the metrics.
    func finished(_ exchange: Exchange)
}
