import HTTPWire
import NIOCore

/// A body is the same bytes however it arrives and ends at the same place, which is where a plain reading of its chunks ends.
/// The first byte chooses the framing.
enum BodyTarget {
    private struct Outcome: Equatable {
        var data: [UInt8] = []
        var isDone = false
        var isRefused = false
        /// Of a body that is done: how many bytes it took.
        var consumed = 0
        /// The trailer section as it came.
        var trailers: [UInt8] = []
    }

    static func check(_ input: [UInt8]) throws(Broken) {
        let choice = Int(input.first ?? 0)
        let bytes = Array(input.dropFirst())
        let framing: BodyFraming = choice % 8 == 1 ? .length(choice / 8) : choice % 8 == 2 ? .untilClose : .chunked
        let whole = outcome(bytes, framing, step: max(1, bytes.count))
        for step in [1, 3] {
            let slow = outcome(bytes, framing, step: step)
            try hold(whole == slow, "in steps of \(step) the body is another one")
        }
        switch framing {
        case .length(let length):
            try hold(!whole.isRefused && whole.data == Array(bytes.prefix(length)), "not the bytes that the length says")
            try hold(whole.isDone == (bytes.count >= length), "not the end that the length says")
        case .untilClose: try hold(whole == Outcome(data: bytes), "a body until close ended or was refused")
        case .chunked, .none: try checkChunks(whole, bytes)
        }
    }

    private static func outcome(_ bytes: [UInt8], _ framing: BodyFraming, step: Int) -> Outcome {
        var decoder = BodyDecoder(framing)
        var buffer = ByteBuffer()
        var outcome = Outcome()
        var fed = 0
        while true {
            do throws(WireError) {
                switch try decoder.next(&buffer) {
                case .data(let part):
                    outcome.data += Array(part.readableBytesView)
                    continue
                case .end:
                    outcome.isDone = true
                    outcome.consumed = fed - buffer.readableBytes
                    outcome.trailers = decoder.trailers.map { Array($0.readableBytesView) } ?? []
                    return outcome
                case .needsMore: break
                }
            } catch {
                outcome.isRefused = true
                return outcome
            }
            if fed == bytes.count { return outcome }
            let next = min(bytes.count, fed + step)
            buffer.writeBytes(bytes[fed..<next])
            fed = next
        }
    }

    private static func checkChunks(_ outcome: Outcome, _ bytes: [UInt8]) throws(Broken) {
        guard outcome.isDone else { return }
        guard let plain = plainReading(bytes) else { throw Broken("a plain reading finds no end of an accepted body") }
        try hold(plain.data == outcome.data, "a plain reading finds other data")
        try hold(plain.end == outcome.consumed, "a plain reading ends elsewhere")
        try checkTrailers(outcome.trailers, bytes[..<plain.end])
        let again = Array(String(outcome.data.count, radix: 16).utf8) + [0x0D, 0x0A] + outcome.data + Array("\r\n0\r\n\r\n".utf8)
        let whole = outcome.data.isEmpty ? Array("0\r\n\r\n".utf8) : again
        let read = Self.outcome(whole, .chunked, step: whole.count)
        try hold(read.isDone && read.data == outcome.data && read.consumed == whole.count, "written as one chunk it is another body")
    }

    /// What may be passed on is whole lines of the section, none of which frames, routes or signs in, and is stable.
    private static func checkTrailers(_ trailers: [UInt8], _ body: ArraySlice<UInt8>) throws(Broken) {
        try hold(body.suffix(trailers.count + 2) == (trailers + [0x0D, 0x0A])[...], "the trailers are not the end of the body")
        guard let kept = TrailerFields(ByteBuffer(bytes: trailers)) else { return }
        let lines = Array(kept.lines.readableBytesView)
        try hold(TrailerFields(kept.lines).map { Array($0.lines.readableBytesView) } == lines, "trailers that were kept are dropped")
        // A first line, as a head has one.
        let fields = try HeadLines(Array("X\r\n".utf8) + lines + [0x0D, 0x0A]).fields()
        let forbidden = [
            "content-length", "transfer-encoding", "host", "cookie", "set-cookie", "authorization", "te", "trailer", "connection",
        ]
        for field in fields {
            try hold(!forbidden.contains(field.name.replacing("_", with: "-")), "the trailer \(field.name) is passed on")
        }
        let all = try HeadLines(Array("X\r\n".utf8) + trailers + [0x0D, 0x0A]).fields()
        try hold(fields.allSatisfy(all.contains), "a trailer is passed on that did not come")
    }

    /// Chunks as RFC 9112 section 7.1 has them, whatever else they may hold.
    private static func plainReading(_ bytes: [UInt8]) -> (data: [UInt8], end: Int)? {
        var data: [UInt8] = []
        var index = 0
        func lineEnd(_ start: Int) -> Int? {
            var index = start
            while index + 1 < bytes.count {
                if bytes[index] == 0x0D, bytes[index + 1] == 0x0A { return index }
                index += 1
            }
            return nil
        }
        while let end = lineEnd(index) {
            let digits = text(bytes[index..<end].prefix { $0 != UInt8(ascii: ";") })
            guard let size = Int(digits, radix: 16), digits.first != "+", size >= 0 else { return nil }
            index = end + 2
            if size == 0 { break }
            guard size <= bytes.count - index - 2, bytes[index + size] == 0x0D, bytes[index + size + 1] == 0x0A else { return nil }
            data += bytes[index..<(index + size)]
            index += size + 2
        }
        while let end = lineEnd(index) {
            let isLast = end == index
            index = end + 2
            if isLast { return (data, index) }
        }
        return nil
    }
}
