import Primitives
import Decisions
import Exchanges
import HTTPWire
import SignIn

/// A request to one of the gateway's own endpoints, on its event loop.
struct EndpointRequest {
    let exchange: Exchange
    let context: RequestContext
    /// What stands in the path for the placeholders of the endpoint, in order.
    let segments: [String]

    var head: RequestHead { exchange.head }
    var id: RequestID { context.requestID }
    /// The first placeholder's; empty for an endpoint without one.
    var segment: String { segments.first ?? "" }

    /// The client's address: the peer's, or what a trusted peer says of it.
    var client: [UInt8] { context.client(exchange.head) }

    /// The fields of the query; nil when it is not well-formed.
    var query: [(name: String, value: String)]? { FormCoding.fields(of: head.queryText) }

    /// All cookies of the request, in order, duplicates included.
    var cookies: [(name: String, value: String)] {
        var cookies: [(name: String, value: String)] = []
        head.forEachCookie { cookies.append((String(decoding: $0), String(decoding: $1))) }
        return cookies
    }

    var cookieNames: [String] { cookies.map(\.name) }

    func send(_ answer: Answer) { answer.send(on: exchange, for: context) }

    /// For work that leaves the event loop.
    var pending: PendingAnswer { PendingAnswer(exchange, for: context) }
}
