import Decisions
import Exchanges
import HTTPWire

/// The fields of a line, as they stand in the request.
struct AccessEntry {
    let request: FinishedRequest
    let method: UnsafeRawBufferPointer
    let host: UnsafeRawBufferPointer
    let path: UnsafeRawBufferPointer
    /// Without its `?`.
    let query: UnsafeRawBufferPointer
    let userAgent: UnsafeRawBufferPointer?
    let referer: UnsafeRawBufferPointer?
    let minorVersion: UInt8
    let speaksHTTP2: Bool
    let status: Int
    let sent: Int
    let received: Int
    let wasAborted: Bool
    let client: [UInt8]

    init(_ exchange: Exchange, _ request: FinishedRequest, _ bytes: UnsafePointer<UInt8>) {
        let head = exchange.head
        self.request = request
        method = head.slice(head.methodRange, bytes)
        host = head.slice(head.authorityRange, bytes)
        path = head.slice(head.pathRange, bytes)
        let query = head.slice(head.queryRange, bytes)
        self.query = query.isEmpty ? query : UnsafeRawBufferPointer(rebasing: query.dropFirst())
        var agent: UnsafeRawBufferPointer?
        for field in head.fields where field.known == .other && field.nameLength == 10 {
            if equalsIgnoringASCIICase(bytes + Int(field.nameStart), 10, "user-agent") {
                agent = head.value(field, bytes)
                break
            }
        }
        userAgent = agent
        referer = head.has(.referer) ? head.value(.referer, bytes) : nil
        minorVersion = head.minorVersion
        speaksHTTP2 = exchange.speaksHTTP2
        status = exchange.status
        sent = exchange.record.sentBodyBytes
        received = exchange.record.receivedBodyBytes
        wasAborted = exchange.record.wasAborted
        client = request.context.client(head)
    }
}
