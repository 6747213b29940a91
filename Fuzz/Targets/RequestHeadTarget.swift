import HTTPWire
import NIOCore

/// A request head means the same however it arrives, holds nothing that another reader could take for a line or a second
/// framing, and means the same when it is written again from its parts.
enum RequestHeadTarget {
    private static let limits = HeadLimits(bytes: 2048, fields: 16)

    private enum Outcome: Equatable {
        case head(Summary)
        /// Why depends on the order in which bytes arrive: a line that cannot begin a request is refused before its end is there.
        case refused
        case incomplete
    }

    private struct Summary: Equatable {
        var method: String
        var kind: HTTPWire.Method
        var path: String
        var query: String
        var authority: String
        var isAsterisk: Bool
        var minorVersion: UInt8
        var fields: [HeadField]
        var framing: BodyFraming
        var keepsAlive: Bool
        var expectsContinue: Bool
        var isWebSocket: Bool
        /// How many bytes the head took, an empty line before it included.
        var consumed: Int
        var bytes: [UInt8]
    }

    static func check(_ bytes: [UInt8]) throws(Broken) {
        let whole = outcome(bytes, step: max(1, bytes.count))
        let slow = outcome(bytes, step: 1)
        try hold(whole == slow, "byte by byte the head is read otherwise: \(whole) and \(slow)")
        try hold(outcome(bytes, step: 7) == whole, "in sevens the head is read otherwise")
        guard case .head(let head) = whole else { return }
        try checkLines(head)
        try checkFraming(head)
        try checkWrittenAgain(head)
    }

    private static func outcome(_ bytes: [UInt8], step: Int) -> Outcome {
        var parser = RequestHeadParser(limits: limits)
        var buffer = ByteBuffer()
        var fed = 0
        while true {
            do throws(WireError) {
                if let head = try parser.parse(&buffer) { return .head(summary(head, consumed: fed - buffer.readableBytes)) }
            } catch {
                return .refused
            }
            if fed == bytes.count { return .incomplete }
            let next = min(bytes.count, fed + step)
            buffer.writeBytes(bytes[fed..<next])
            fed = next
        }
    }

    private static func summary(_ head: RequestHead, consumed: Int) -> Summary {
        let raw = Array(head.bytes.readableBytesView)
        let fields = head.fields.map { field in
            let name = raw[Int(field.nameStart)..<Int(field.nameStart + field.nameLength)]
            let value = raw[Int(field.valueStart)..<Int(field.valueStart + field.valueLength)]
            return HeadField(name: text(name).lowercased(), value: Array(value))
        }
        return Summary(
            method: head.methodText, kind: head.method, path: text(raw[head.pathRange]), query: text(raw[head.queryRange]),
            authority: head.authorityText, isAsterisk: head.isAsteriskForm, minorVersion: head.minorVersion, fields: fields,
            framing: head.framing, keepsAlive: head.keepsAlive, expectsContinue: head.expectsContinue,
            isWebSocket: head.upgrade(among: [.webSocket]) != nil, consumed: consumed, bytes: raw)
    }

    private static func checkLines(_ head: Summary) throws(Broken) {
        let lines = try HeadLines(head.bytes)
        try hold(try lines.fields() == head.fields, "the field lines are not the ones of a plain reading")
        try hold(head.bytes.count <= limits.bytes && head.fields.count <= limits.fields, "a limit was passed")
        let words = lines.lines[0].split(separator: 0x20, omittingEmptySubsequences: false)
        try hold(words.count == 3, "an accepted request line has not three words")
        try hold(text(words[0]) == head.method, "the method is another one")
        try hold(text(words[2]) == "HTTP/1.\(head.minorVersion)", "the version is another one")
        try hold(head.isAsterisk || text(words[1]).hasSuffix(head.path + head.query), "path and query are not the target's")
        try hold(!["TRACE", "CONNECT"].contains(head.method.uppercased()), "TRACE or CONNECT was accepted")
    }

    private static func checkFraming(_ head: Summary) throws(Broken) {
        func values(_ name: String) -> [[UInt8]] { head.fields.filter { $0.name == name }.map(\.value) }
        let lengths = values("content-length")
        let codings = values("transfer-encoding")
        try hold(lengths.count + codings.count <= 1, "an accepted head has two framings")
        try hold(values("host").count == 1, "an accepted head has not exactly one Host")
        switch head.framing {
        case .chunked:
            try hold(codings.map { text($0).lowercased() } == ["chunked"] && head.minorVersion == 1, "chunked without saying so")
        case .length(let length): try hold(length > 0 && lengths.map { Int(text($0)) } == [length], "the length is another one")
        case .none: try hold(codings.isEmpty && lengths.allSatisfy { Int(text($0)) == 0 }, "a declared body is not read")
        case .untilClose: throw Broken("a request is framed by the close of its connection")
        }
    }

    /// As it would be forwarded: origin-form, the authority as `Host`.
    private static func checkWrittenAgain(_ head: Summary) throws(Broken) {
        let target = head.isAsterisk ? "*" : (head.path.isEmpty ? "/" : head.path) + head.query
        var again = Array("\(head.method) \(target) HTTP/1.\(head.minorVersion)\r\n".utf8)
        var expected = head
        expected.path = head.isAsterisk || !head.path.isEmpty ? head.path : "/"
        for index in head.fields.indices {
            if head.fields[index].name == "host" { expected.fields[index].value = Array(head.authority.utf8) }
            again += Array(head.fields[index].name.utf8) + [0x3A, 0x20] + expected.fields[index].value + [0x0D, 0x0A]
        }
        again += [0x0D, 0x0A]
        guard again.count <= limits.bytes else { return }
        guard case .head(var read) = outcome(again, step: again.count) else { throw Broken("a head written again is refused") }
        (read.consumed, read.bytes) = (head.consumed, head.bytes)
        try hold(read == expected, "a head written again means something else")
    }
}
