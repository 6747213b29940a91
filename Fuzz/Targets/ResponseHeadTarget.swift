import HTTPWire
import NIOCore

/// A response head means the same however it arrives, and its framing is the one that its lines and the request's method say.
/// The first byte chooses the method.
enum ResponseHeadTarget {
    private static let limits = HeadLimits(bytes: 2048, fields: 16)

    private enum Outcome: Equatable {
        case head(Summary)
        case refused
        case incomplete
    }

    private struct Summary: Equatable {
        var status: Int
        var reason: [UInt8]
        var minorVersion: UInt8
        var fields: [HeadField]
        var framing: BodyFraming
        var declaredLength: Int?
        var keepsAlive: Bool
        var consumed: Int
        var bytes: [UInt8]
    }

    static func check(_ input: [UInt8]) throws(Broken) {
        let methods: [HTTPWire.Method] = [.get, .head, .post, .other]
        let method = methods[Int(input.first ?? 0) % methods.count]
        let bytes = Array(input.dropFirst())
        let whole = outcome(bytes, method, step: max(1, bytes.count))
        let slow = outcome(bytes, method, step: 1)
        try hold(whole == slow, "byte by byte the head is read otherwise: \(whole) and \(slow)")
        guard case .head(let head) = whole else { return }
        let lines = try HeadLines(head.bytes)
        try hold(try lines.fields() == head.fields, "the field lines are not the ones of a plain reading")
        try hold((100..<600).contains(head.status), "the status is none")
        try checkFraming(head, method)
        try checkWrittenAgain(head, method)
    }

    private static func outcome(_ bytes: [UInt8], _ method: HTTPWire.Method, step: Int) -> Outcome {
        var parser = ResponseHeadParser(limits: limits)
        var buffer = ByteBuffer()
        var fed = 0
        while true {
            do throws(WireError) {
                if let head = try parser.parse(&buffer, method: method) {
                    return .head(summary(head, consumed: fed - buffer.readableBytes))
                }
            } catch {
                return .refused
            }
            if fed == bytes.count { return .incomplete }
            let next = min(bytes.count, fed + step)
            buffer.writeBytes(bytes[fed..<next])
            fed = next
        }
    }

    private static func summary(_ head: ResponseHead, consumed: Int) -> Summary {
        let raw = Array(head.bytes.readableBytesView)
        let fields = head.fields.map { field in
            let name = raw[Int(field.nameStart)..<Int(field.nameStart + field.nameLength)]
            let value = raw[Int(field.valueStart)..<Int(field.valueStart + field.valueLength)]
            return HeadField(name: text(name).lowercased(), value: Array(value))
        }
        return Summary(
            status: head.status, reason: Array(raw[head.reasonRange]), minorVersion: head.minorVersion, fields: fields,
            framing: head.framing, declaredLength: head.declaredLength, keepsAlive: head.keepsAlive, consumed: consumed, bytes: raw)
    }

    private static func checkFraming(_ head: Summary, _ method: HTTPWire.Method) throws(Broken) {
        func values(_ name: String) -> [[UInt8]] { head.fields.filter { $0.name == name }.map(\.value) }
        let lengths = values("content-length")
        let codings = values("transfer-encoding")
        try hold(lengths.count + codings.count <= 1, "an accepted head has two framings")
        let hasNoBody = head.status < 200 || head.status == 204 || head.status == 304 || method == .head
        switch head.framing {
        case .none: try hold(hasNoBody || lengths.map { Int(text($0)) } == [0], "a body is not read")
        case .chunked: try hold(!hasNoBody && codings.map { text($0).lowercased() } == ["chunked"], "chunked without saying so")
        case .length(let length): try hold(!hasNoBody && lengths.map { Int(text($0)) } == [length], "the length is another one")
        case .untilClose: try hold(!hasNoBody && lengths.isEmpty && codings.isEmpty && !head.keepsAlive, "a framed body is not kept to")
        }
    }

    private static func checkWrittenAgain(_ head: Summary, _ method: HTTPWire.Method) throws(Broken) {
        var again = Array("HTTP/1.\(head.minorVersion) \(head.status) ".utf8) + head.reason + [0x0D, 0x0A]
        for field in head.fields { again += Array(field.name.utf8) + [0x3A, 0x20] + field.value + [0x0D, 0x0A] }
        again += [0x0D, 0x0A]
        guard again.count <= limits.bytes else { return }
        guard case .head(var read) = outcome(again, method, step: again.count) else { throw Broken("a head written again is refused") }
        (read.consumed, read.bytes) = (head.consumed, head.bytes)
        try hold(read == head, "a head written again means something else")
    }
}
