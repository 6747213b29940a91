import Decisions
import HTTPWire
import Primitives
import NIOCore
import Exchanges

extension ForwardedRequest {
    /// The framing of the response's body towards the client.
    func framing(of head: ResponseHead) -> ResponseFraming {
        switch head.framing {
        case .length(let length): .length(length)
        case .chunked, .untilClose: .stream
        case .none:
            if head.status == 204 {
                // A 204 says no length, not even to HEAD (RFC 9110 section 8.6).
                .none
            } else if method == .head || head.status == 304 {
                head.declaredLength.map { .lengthOnly($0) } ?? .none
            } else {
                .length(0)
            }
        }
    }

    /// Sends the upstream's head on. True for an event stream of a signed-in user, whose body follows.
    func begin(_ head: ResponseHead, framing: ResponseFraming, on exchange: Exchange) -> Bool {
        let reason = head.reason(in: head.bytes.byteSpan)
        let edits = response
        exchange.sendHead(status: head.status, reason: reason, framing: framing, hasDate: head.has(.date)) {
            ResponseWriter.copyFields(of: head, edits, into: &$0)
            ResponseWriter.addOurFields(to: head, edits, into: &$0)
        }
        // Matched, not compared: that would call through a witness.
        if case .none = framing { return false }
        return edits.isPrivate && head.isEventStream
    }

    /// The trailers that go on to the client.
    func kept(_ trailers: ByteBuffer?) -> ByteBuffer? {
        guard acceptsTrailers, let trailers else { return nil }
        let removed = response.route?.removed
        return TrailerFields(trailers) { removed?.contains($0) ?? false }?.lines
    }
}

extension ResponseHead {
    /// Whether its media type is `text/event-stream` (HTML section 9.2), with or without parameters.
    fileprivate var isEventStream: Bool {
        let type: StaticString = "text/event-stream"
        let length = type.utf8CodeUnitCount
        let bytes = bytes.byteSpan
        for index in 0..<fields.count where fields[index].known == .contentType && Int(fields[index].valueLength) >= length {
            let value = fields[index].value(in: bytes)
            // Most types differ here: a full comparison takes time.
            guard value[5] == UInt8(ascii: "e") || value[5] == UInt8(ascii: "E"), value.beginsIgnoringCase(with: type) else { continue }
            if value.byteCount == length { return true }
            let next = value[length]
            if next == UInt8(ascii: ";") || next == 0x20 || next == 0x09 { return true }
        }
        return false
    }
}
