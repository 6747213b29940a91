package import Decisions
import HTTPWire
import NIOCore
import Primitives
import SwiftProtobuf

/// A question of Envoy's external authorization over gRPC.
package enum CheckQuestion {
    package static let path: StaticString = "/envoy.service.auth.v3.Authorization/Check"
    /// Bytes of a message. Envoy sends the request's headers, and of its body what `with_request_body` says.
    package static let largestMessage = 1 << 20

    /// Reads the body of the call: one message that is not compressed.
    package static func read(_ body: [UInt8]) throws(QuestionRefusal) -> Question {
        // A flag for compression and four bytes of length.
        guard body.count >= 5, body[0] == 0, body[1..<5].reduce(0, { $0 << 8 | Int($1) }) == body.count - 5 else {
            throw .invalid("gRPC message")
        }
        let attributes: ExtAuthz_Attributes
        do {
            attributes = try ExtAuthz_CheckRequest(serializedBytes: Array(body[5...])).attributes
        } catch {
            throw .invalid("gRPC message")
        }
        return try question(attributes)
    }

    private static func question(_ attributes: ExtAuthz_Attributes) throws(QuestionRefusal) -> Question {
        let http = attributes.request.http
        guard !http.method.isEmpty else { throw .missing("method") }
        guard !http.path.isEmpty else { throw .missing("path") }
        guard !http.host.isEmpty else { throw .missing("host") }
        let isSecure: Bool
        switch http.scheme {
        case "https": isSecure = true
        case "http", "": isSecure = false
        default: throw .invalid("scheme")
        }
        let fields = try fields(of: http)
        try agree(fields, ":method", http.method)
        try agree(fields, ":path", http.path)
        try agree(fields, ":authority", http.host)
        try agree(fields, "host", http.host)
        if !http.scheme.isEmpty { try agree(fields, ":scheme", http.scheme) }
        return try Question(
            .grpc, method: http.method, target: http.path, host: http.host, isSecure: isSecure, client: try client(attributes.source),
            asked: try head(fields))
    }

    /// A pseudo-header that is there says what the attribute says.
    private static func agree(_ fields: [Field], _ name: String, _ value: String) throws(QuestionRefusal) {
        for field in fields where field.name == name && !field.value.utf8.elementsEqual(value.utf8) { throw .contradictory(name) }
    }

    private typealias Field = (name: String, value: String)

    private static func fields(of http: ExtAuthz_HTTPRequest) throws(QuestionRefusal) -> [Field] {
        guard !http.hasHeaderMap else {
            guard http.headers.isEmpty else { throw .contradictory("headers") }
            return http.headerMap.headers.map { header in
                (header.key.lowercased(), header.rawValue.isEmpty ? header.value : String(decoding: header.rawValue, as: UTF8.self))
            }
        }
        return http.headers.map { ($0.key.lowercased(), $0.value) }.sorted { $0.0 < $1.0 }
    }

    /// The address of the client; nil for one on a Unix socket.
    private static func client(_ source: ExtAuthz_Peer) throws(QuestionRefusal) -> NetworkAddress? {
        switch source.address.kind {
        case .socket(let socket):
            guard let address = NetworkAddress(socket.address) else { throw .invalid("source") }
            return address
        case .pipe: return nil
        case nil: throw .missing("source")
        }
    }

    /// Fields that are about the message and not about the request.
    private static let framing: Set<String> = ["host", "content-length", "transfer-encoding", "connection", "expect"]

    /// The fields as a head, without pseudo-headers.
    private static func head(_ fields: [Field]) throws(QuestionRefusal) -> RequestHead {
        var lines = LineBytes(capacity: 4_096)
        lines.put("GET / HTTP/1.1\r\nhost: -\r\n")
        for field in fields where !field.name.hasPrefix(":") && !framing.contains(field.name) {
            // A line break would begin another field.
            guard (field.name + field.value).utf8.allSatisfy({ $0 != 0x0D && $0 != 0x0A && $0 != 0 }), !field.name.contains(":") else {
                throw .invalid("headers")
            }
            lines.put(text: "\(field.name): \(field.value)\r\n")
        }
        lines.put("\r\n")
        var buffer = ByteBuffer()
        lines.write(to: &buffer)
        var parser = RequestHeadParser(limits: HeadLimits(bytes: 2 * largestMessage, fields: 20_000))
        var head = RequestHead()
        do throws(WireError) {
            guard try parser.parse(&buffer, into: &head), buffer.readableBytes == 0 else { throw .fieldNameInvalid }
        } catch {
            throw .request(error.rawValue)
        }
        return head
    }
}
