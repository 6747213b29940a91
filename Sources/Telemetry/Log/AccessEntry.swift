import Decisions
import Exchanges
import HTTPWire

/// The fields of a line, as they stand in the request.
struct AccessEntry: ~Escapable {
    let request: FinishedRequest
    let method: RawSpan
    let host: RawSpan
    let path: RawSpan
    /// Without its `?`.
    let query: RawSpan
    let userAgent: RawSpan?
    let referer: RawSpan?
    let minorVersion: UInt8
    let speaksHTTP2: Bool
    let status: Int
    let sent: Int
    let received: Int
    let wasAborted: Bool
    let client: [UInt8]

    /// `bytes` are those of the head.
    @_lifetime(copy bytes)
    init(_ exchange: Exchange, _ request: FinishedRequest, _ head: RequestHead, _ bytes: RawSpan) {
        self.request = request
        method = bytes.extracting(head.methodRange)
        host = bytes.extracting(head.authorityRange)
        path = bytes.extracting(head.pathRange)
        query = bytes.extracting(head.queryRange).extracting(droppingFirst: 1)
        userAgent = head.value(named: "user-agent", in: bytes)
        referer = head.value(.referer, in: bytes)
        minorVersion = head.minorVersion
        speaksHTTP2 = exchange.speaksHTTP2
        status = exchange.status
        sent = exchange.record.sentBodyBytes
        received = exchange.record.receivedBodyBytes
        wasAborted = exchange.record.wasAborted
        client = request.context.client(head)
    }
}
