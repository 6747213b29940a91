import Glibc
package import NIOCore

/// Reads a message body from a connection's bytes, with any framing (RFC 9112 sections 6 and 7).
///
/// Trailers are checked like field lines and kept separate: they are never merged into the header (RFC 9110 section 6.5.1).
package struct BodyDecoder {
    package enum Event {
        /// A part of the body.
        case data(ByteBuffer)
        /// The body is complete. Remaining bytes in the buffer belong to the next message.
        case end
        /// More bytes are needed.
        case needsMore
    }

    private enum State {
        case length(Int)
        case untilClose
        case chunkSize
        case chunkData(Int)
        case chunkDataEnd
        case trailers
        case done
    }

    private var state: State
    /// The limit of a chunk-size line: 16 hex digits, an extension, CRLF.
    private static let chunkLineLimit = 256
    static let trailerLimits = HeadLimits(bytes: 8 * 1024, fields: 32)
    /// The limit of all chunk extensions together, against attacks on programs that count body bytes only.
    private static let extensionLimit = 16 * 1024
    private var extensionBytes = 0
    private var trailerScanner: HeadScanner?
    /// The unchanged lines of the trailer section, without the empty one; nil before `.end`, and without trailers.
    package private(set) var trailers: ByteBuffer?
    private let classes = ByteClassTable.shared

    package init(_ framing: BodyFraming) {
        switch framing {
        case .none: state = .done
        case .length(let count): state = count == 0 ? .done : .length(count)
        case .chunked: state = .chunkSize
        case .untilClose: state = .untilClose
        }
    }

    package var isDone: Bool { if case .done = state { true } else { false } }
    /// True if closing the connection is a valid end of the body.
    package var endsAtClose: Bool { if case .untilClose = state { true } else { false } }

    package mutating func next(_ buffer: inout ByteBuffer) throws(WireError) -> Event {
        while true {
            switch state {
            case .done:
                return .end
            case .length(let remaining):
                guard buffer.readableBytes > 0, let slice = buffer.readSlice(length: min(remaining, buffer.readableBytes)) else {
                    return .needsMore
                }
                state = slice.readableBytes == remaining ? .done : .length(remaining - slice.readableBytes)
                return .data(slice)
            case .untilClose:
                guard buffer.readableBytes > 0, let slice = buffer.readSlice(length: buffer.readableBytes) else { return .needsMore }
                return .data(slice)
            case .chunkSize:
                guard let size = try readChunkSize(&buffer) else { return .needsMore }
                if size > 0 {
                    state = .chunkData(size)
                } else {
                    trailerScanner = HeadScanner(limits: Self.trailerLimits)
                    state = .trailers
                }
            case .chunkData(let remaining):
                guard buffer.readableBytes > 0, let slice = buffer.readSlice(length: min(remaining, buffer.readableBytes)) else {
                    return .needsMore
                }
                state = slice.readableBytes == remaining ? .chunkDataEnd : .chunkData(remaining - slice.readableBytes)
                return .data(slice)
            case .chunkDataEnd:
                guard buffer.readableBytes >= 2 else {
                    if buffer.readableBytes == 1, buffer.getInteger(at: buffer.readerIndex, as: UInt8.self) != 0x0D {
                        throw .chunkInvalid
                    }
                    return .needsMore
                }
                guard buffer.readInteger(as: UInt16.self) == 0x0D0A else { throw .chunkInvalid }
                state = .chunkSize
            case .trailers:
                guard try readTrailers(&buffer) else { return .needsMore }
                state = .done
            }
        }
    }

    /// Reads `chunk-size [ chunk-ext ] CRLF`: 1 to 16 hex digits without sign, prefix or white space. Nil if the line is incomplete.
    private mutating func readChunkSize(_ buffer: inout ByteBuffer) throws(WireError) -> Int? {
        let classes = self.classes
        let found: (size: Int, length: Int, extensionLength: Int)? = try withBytes(of: buffer) {
            (bytes, count) throws(WireError) in
            let window = min(count, Self.chunkLineLimit)
            let digitsEnd = classes.prefixEnd(bytes, from: 0, to: min(window, 17), .hex)
            guard let match = memchr(bytes, 0x0A, window) else {
                if count >= Self.chunkLineLimit { throw .chunkExtensionTooLong }
                if digitsEnd > 16 || (count > 0 && digitsEnd == 0) { throw .chunkInvalid }
                return nil
            }
            let lineFeed = UnsafePointer(match.assumingMemoryBound(to: UInt8.self)) - bytes
            guard lineFeed >= 2, bytes[lineFeed - 1] == 0x0D, digitsEnd > 0, digitsEnd <= 15 || (digitsEnd == 16 && bytes[0] < 0x38)
            else { throw .chunkInvalid }
            if digitsEnd < lineFeed - 1 {
                guard bytes[digitsEnd] == UInt8(ascii: ";"),
                    classes.prefixEnd(bytes, from: digitsEnd, to: lineFeed - 1, .chunkExtension) == lineFeed - 1
                else { throw .chunkInvalid }
            }
            var size = 0
            for index in 0..<digitsEnd {
                let byte = bytes[index]
                size = size << 4 | Int(byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x61 + 10)
            }
            return (size, lineFeed + 1, lineFeed - 1 - digitsEnd)
        }
        guard let found else { return nil }
        extensionBytes += found.extensionLength
        guard extensionBytes <= Self.extensionLimit else { throw .chunkExtensionTooLong }
        buffer.moveReaderIndex(forwardBy: found.length)
        return found.size
    }

    private mutating func readTrailers(_ buffer: inout ByteBuffer) throws(WireError) -> Bool {
        guard var scanner = trailerScanner else { return true }
        trailerScanner = nil
        do {
            let isComplete = try withBytes(of: buffer) { (bytes, count) throws(WireError) in try scanner.readFields(bytes, count) }
            guard isComplete else {
                trailerScanner = scanner
                return false
            }
        } catch {
            throw .trailersInvalid
        }
        if !scanner.fields.isEmpty { trailers = buffer.getSlice(at: buffer.readerIndex, length: scanner.position - 2) }
        buffer.moveReaderIndex(forwardBy: scanner.position)
        return true
    }
}
