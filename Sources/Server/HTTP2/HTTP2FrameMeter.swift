import NIOCore
import NIOHTTP2

/// Watches the frames of a client before they are decoded: what takes too long, and what floods without doing anything.
///
/// The decoder above reports whole frames only, and nothing of those it ignores. This one looks at frame headers alone
/// (RFC 9113 section 4.1); payloads pass by. `HTTP2FloodLimit` decides what is too much.
final class HTTP2FrameMeter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private static let prefaceLength = 24
    private static let headerLength = 9
    /// SETTINGS with ACK, empty (RFC 9113 section 6.5).
    private static let settingsAcknowledgement = ByteBuffer(bytes: [0, 0, 0, 4, 1, 0, 0, 0, 0])

    private enum State {
        case preface(remaining: Int)
        case header(have: Int)
        case payload(remaining: Int)
    }

    /// Of our SETTINGS: see `inject`.
    private enum Acknowledgement {
        /// The client's SETTINGS have not arrived.
        case none
        /// Put in, and the client's own is to be left out.
        case awaited
        case done
    }

    private enum FrameType {
        static let data: UInt8 = 0x0
        static let headers: UInt8 = 0x1
        static let reset: UInt8 = 0x3
        static let settings: UInt8 = 0x4
        static let windowUpdate: UInt8 = 0x8
        static let continuation: UInt8 = 0x9
    }

    private unowned let connection: HTTP2Connection
    private var state = State.preface(remaining: prefaceLength)
    private var header: [UInt8] = Array(repeating: 0, count: headerLength)
    private var acknowledgement = Acknowledgement.none
    /// The beginning of what may be the acknowledgement.
    private var held = ByteBuffer()
    var flood = HTTP2FloodLimit()
    /// The bytes of DATA frames among those that go to the codec next.
    private var dataBytes = 0

    private var context: ChannelHandlerContext?

    init(connection: HTTP2Connection) { self.connection = connection }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// GOAWAY that leaves all stream numbers open (RFC 9113 section 6.8).
    func writeShutdownNotice() {
        context?.write(NIOAny(ByteBuffer(bytes: [0, 0, 8, 7, 0, 0, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0])), promise: nil)
    }

    /// Once all that the decoder above has written has left, or never will.
    func whenWritten(_ action: @escaping @Sendable () -> Void) {
        guard let context else { return }
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.whenComplete { _ in action() }
        context.writeAndFlush(NIOAny(ByteBuffer()), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if held.readableBytes > 0 {
            held.writeBuffer(&bytes)
            bytes = held
            held = ByteBuffer()
        }
        while bytes.readableBytes > 0, !connection.machine.isEnding {
            let rest = pass(&bytes, context)
            // The codec has worked on them: their streams have them, or have ended.
            if dataBytes > 0 { connection.clientSent(dataBytes) }
            dataBytes = 0
            guard let rest else { return }
            bytes = rest
        }
    }

    /// Passes bytes on until they end, or until a place in them where something has to be put in or left out; the rest is returned.
    private func pass(_ bytes: inout ByteBuffer, _ context: ChannelHandlerContext) -> ByteBuffer? {
        let start = bytes.readerIndex
        var index = start
        let end = bytes.writerIndex
        while index < end {
            switch state {
            case .preface(let remaining):
                let count = min(remaining, end - index)
                index += count
                state = count == remaining ? .header(have: 0) : .preface(remaining: remaining - count)
            case .header(let have):
                if have == 0, acknowledgement == .awaited, end - index < Self.headerLength {
                    forward(bytes, start, index, context)
                    held = bytes.getSlice(at: index, length: end - index) ?? ByteBuffer()
                    return nil
                }
                if have == 0, isDroppable(bytes, at: index) {
                    // Everything before goes on; the nine bytes do not.
                    forward(bytes, start, index, context)
                    acknowledgement = .done
                    return bytes.getSlice(at: index + Self.headerLength, length: end - index - Self.headerLength)
                }
                let count = min(Self.headerLength - have, end - index)
                bytes.withUnsafeReadableBytes { raw in
                    for offset in 0..<count { header[have + offset] = raw[index - start + offset] }
                }
                index += count
                if have + count < Self.headerLength {
                    state = .header(have: have + count)
                } else {
                    begin()
                    if case .payload(0) = state, finish() { return inject(bytes, start, index, context) }
                }
            case .payload(let remaining):
                let count = min(remaining, end - index)
                index += count
                if type == FrameType.data { dataBytes += count }
                state = .payload(remaining: remaining - count)
                if count == remaining, finish() { return inject(bytes, start, index, context) }
            }
        }
        forward(bytes, start, end, context)
        return nil
    }

    private func forward(_ bytes: ByteBuffer, _ start: Int, _ end: Int, _ context: ChannelHandlerContext) {
        guard end > start, let slice = bytes.getSlice(at: start, length: end - start) else { return }
        context.fireChannelRead(wrapInboundOut(slice))
    }

    /// Our settings are taken as acknowledged with the client's first settings: they allow more than the defaults, above all longer
    /// heads, and a client may use that as soon as it likes. Its own acknowledgement is left out when it comes.
    private func inject(_ bytes: ByteBuffer, _ start: Int, _ index: Int, _ context: ChannelHandlerContext) -> ByteBuffer? {
        forward(bytes, start, index, context)
        context.fireChannelRead(wrapInboundOut(Self.settingsAcknowledgement))
        return bytes.getSlice(at: index, length: bytes.writerIndex - index)
    }

    /// The client's acknowledgement of our settings lies whole at this index.
    private func isDroppable(_ bytes: ByteBuffer, at index: Int) -> Bool {
        guard acknowledgement == .awaited, let found = bytes.getSlice(at: index, length: Self.headerLength) else { return false }
        return found == Self.settingsAcknowledgement
    }

    // Of the frame whose header was read.
    private var length: Int { Int(header[0]) << 16 | Int(header[1]) << 8 | Int(header[2]) }
    private var type: UInt8 { header[3] }
    private var flags: UInt8 { header[4] }
    private var stream: Int { Int(header[5] & 0x7F) << 24 | Int(header[6]) << 16 | Int(header[7]) << 8 | Int(header[8]) }

    private func begin() {
        state = .payload(remaining: length)
        switch type {
        case FrameType.headers:
            if flood.wasEnded(stream) { return connection.fail(.streamClosed) }
            if flags & 0x1 != 0 { flood.noteEnd(of: stream) }
            connection.headerBlockBegan()
            countIfLate()
        case FrameType.data:
            if flags & 0x1 != 0 { flood.noteEnd(of: stream) }
            countIfLate()
        case FrameType.reset:
            flood.noteEnd(of: stream)
        case FrameType.windowUpdate, 0xA...:
            if !flood.allowsIdle() { connection.fail(.enhanceYourCalm) }
        default: break
        }
    }

    private func countIfLate() {
        if connection.hasEnded(stream), !flood.allowsLate(length) { connection.fail(.enhanceYourCalm) }
    }

    /// True: this is where our acknowledgement goes.
    private func finish() -> Bool {
        state = .header(have: 0)
        switch type {
        case FrameType.headers, FrameType.continuation:
            if flags & 0x4 != 0 { connection.headerBlockEnded() }
        case FrameType.settings where acknowledgement == .none:
            acknowledgement = .awaited
            connection.prefaceReceived()
            return true
        default: break
        }
        return false
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // From below: the socket or TLS. Nothing more can be said to the client.
        context.close(promise: nil)
    }
}
