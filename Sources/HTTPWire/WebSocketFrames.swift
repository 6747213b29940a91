package import NIOCore

/// Tracks the frames of one direction of a WebSocket (RFC 6455 section 5.2), so that the gateway can insert a frame between two
/// others. Ignores payloads.
package struct WebSocketFrames {
    private enum State {
        /// The remaining header bytes, and those received.
        case header
        case payload(UInt64)
    }

    private var state = State.header
    private var header: [UInt8] = []
    /// True if a close frame was sent, after which nothing may follow.
    package private(set) var sawClose = false

    package init() {}

    package var isAtBoundary: Bool {
        if case .header = state { header.isEmpty } else { false }
    }

    package mutating func consume(_ bytes: ByteBuffer) {
        var view = bytes.readableBytesView[...]
        while let first = view.first {
            switch state {
            case .payload(let remaining):
                let count = min(remaining, UInt64(view.count))
                view = view.dropFirst(Int(count))
                state = remaining == count ? .header : .payload(remaining - count)
            case .header:
                header.append(first)
                view = view.dropFirst()
                guard header.count >= 2, header.count == Self.headerLength(header[1]) else { continue }
                if header[0] & 0x0F == 8 { sawClose = true }
                let length = payloadLength()
                header.removeAll(keepingCapacity: true)
                state = length == 0 ? .header : .payload(length)
            }
        }
    }

    private static func headerLength(_ second: UInt8) -> Int {
        let mask = second & 0x80 == 0 ? 0 : 4
        switch second & 0x7F {
        case 126: return 4 + mask
        case 127: return 10 + mask
        default: return 2 + mask
        }
    }

    private func payloadLength() -> UInt64 {
        switch header[1] & 0x7F {
        case 126: UInt64(header[2]) << 8 | UInt64(header[3])
        case 127: header[2..<10].reduce(0) { $0 << 8 | UInt64($1) }
        default: UInt64(header[1] & 0x7F)
        }
    }

    /// A close frame from a server with status 1001, going away (RFC 6455 section 7.4.1).
    package static let goingAway = ByteBuffer(bytes: [0x88, 0x02, 0x03, 0xE9])
}
