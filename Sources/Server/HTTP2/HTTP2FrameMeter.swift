import NIOCore
import NIOHTTP2

/// Watches the frames of a client before they are decoded: what takes too long, and what floods without doing anything.
///
/// The decoder above tells of whole frames only, and not at all of those it ignores. This one looks at frame headers alone
/// (RFC 9113 section 4.1); payloads pass by.
final class HTTP2FrameMeter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private static let prefaceLength = 24
    private static let headerLength = 9
    /// SETTINGS with ACK, empty (RFC 9113 section 6.5).
    private static let settingsAcknowledgement = ByteBuffer(bytes: [0, 0, 0, 4, 1, 0, 0, 0, 0])
    /// Idle frames that every connection has free, and further ones for each DATA frame that it was sent.
    private static let freeIdleFrames = 2_000
    private static let idleFramesForData = 10
    /// The least cost of a frame for a closed stream, in bytes: a flood of small frames costs more than its bytes.
    private static let leastLateBytes = 16
    /// The most that a client may have under way for streams that have ended: what two windows of the connection hold.
    private static let mostLateBytes = 2 * HTTP2Limits.connectionWindow

    private enum State {
        case preface(remaining: Int)
        case header(have: Int)
        case payload(remaining: Int)
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
    /// Of the frame whose header was read, as `type`, `flags` and `stream` are.
    private var length = 0
    private var type: UInt8 = 0
    private var flags: UInt8 = 0
    private var isAcknowledged = false
    private var awaitsAcknowledgement = false
    /// The beginning of what may be the acknowledgement.
    private var held = ByteBuffer()
    private var idleFrames = 0
    /// Streams that the client has ended or reset, the latest ones.
    private var ended: [Int] = []
    /// DATA frames that were sent to the client.
    var sentDataFrames = 0
    /// Bytes that the client may still send for streams that have ended. The codec drops them; it limits neither them nor their frames. A window
    /// from the start leaves single late frames to the codec, which knows the right error.
    private var lateBytes = HTTP2Limits.streamWindow

    private var context: ChannelHandlerContext?

    init(connection: HTTP2Connection) { self.connection = connection }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// A stream has ended before the client's body: a window of it may be under way.
    func streamWasCut() { lateBytes = min(lateBytes + HTTP2Limits.streamWindow, Self.mostLateBytes) }

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
        while bytes.readableBytes > 0, !connection.isEnding {
            guard let rest = pass(&bytes, context) else { return }
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
                if have == 0, awaitsAcknowledgement, end - index < Self.headerLength {
                    forward(bytes, start, index, context)
                    held = bytes.getSlice(at: index, length: end - index) ?? ByteBuffer()
                    return nil
                }
                if have == 0, isDroppable(bytes, at: index) {
                    // Everything before goes on; the nine bytes do not.
                    forward(bytes, start, index, context)
                    awaitsAcknowledgement = false
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
        guard awaitsAcknowledgement, let found = bytes.getSlice(at: index, length: Self.headerLength) else { return false }
        return found == Self.settingsAcknowledgement
    }

    private func begin() {
        length = Int(header[0]) << 16 | Int(header[1]) << 8 | Int(header[2])
        type = header[3]
        flags = header[4]
        state = .payload(remaining: length)
        switch type {
        case FrameType.headers:
            // The decoder would call it something else (RFC 9113 section 5.1, "half-closed (remote)" and "closed").
            if ended.contains(stream) { return connection.fail(.streamClosed) }
            if flags & 0x1 != 0 { noteEnd() }
            connection.headerBlockBegan()
            countIfLate()
        case FrameType.data:
            if flags & 0x1 != 0 { noteEnd() }
            countIfLate()
        case FrameType.reset:
            noteEnd()
        case FrameType.windowUpdate, 0xA...:
            idleFrames += 1
            if idleFrames > Self.freeIdleFrames + Self.idleFramesForData * sentDataFrames { connection.fail(.enhanceYourCalm) }
        default: break
        }
    }

    /// Of the frame whose header was read.
    private var stream: Int { Int(header[5] & 0x7F) << 24 | Int(header[6]) << 16 | Int(header[7]) << 8 | Int(header[8]) }

    private func countIfLate() {
        guard connection.hasEnded(stream) else { return }
        lateBytes -= max(length, Self.leastLateBytes)
        if lateBytes < 0 { connection.fail(.enhanceYourCalm) }
    }

    private func noteEnd() {
        if ended.count >= 32 { ended.removeFirst(16) }
        ended.append(stream)
    }

    /// True: this is where our acknowledgement goes.
    private func finish() -> Bool {
        state = .header(have: 0)
        switch type {
        case FrameType.headers, FrameType.continuation:
            if flags & 0x4 != 0 { connection.headerBlockEnded() }
        case FrameType.settings where !isAcknowledged:
            isAcknowledged = true
            awaitsAcknowledgement = true
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
