package import HTTPWire
import NIOCore
package import Primitives

/// The request that another proxy asks about.
///
/// Its head is written anew and parsed by the parser of all requests, so that a question obeys the same rules as a request.
package struct Question: Sendable {
    package let dialect: QuestionDialect
    package let head: RequestHead
    /// The client's address; nil if the proxy does not tell it.
    package let client: NetworkAddress?
    /// The client uses https.
    package let isSecure: Bool
    /// The fields of the request as they came, for a dialect whose own head does not have them.
    package let asked: RequestHead?

    private static let envoyPrefix = "/envoy"

    /// Reads a question over HTTP. `trusted`: proxies between the client and the one that asks.
    package init(_ asked: RequestHead, trusted: CIDRSet) throws(QuestionRefusal) {
        let path = asked.pathText
        let reader = QuestionReader(asked)
        let described: QuestionReader.Described
        switch path {
        case "/nginx":
            dialect = .nginx
            described = try reader.nginx()
        case "/forward":
            dialect = .forward
            described = try reader.forward()
        default:
            guard path.hasPrefix(Self.envoyPrefix + "/") else { throw .unknownEndpoint }
            dialect = .envoy
            described = try reader.envoy(prefix: Self.envoyPrefix.utf8.count)
        }
        client = try reader.client(trusted: trusted, isRequired: dialect == .forward)
        isSecure = described.isSecure
        head = try reader.head(described)
        self.asked = nil
    }

    /// A question whose parts are known. `asked`: a head with the fields of the request.
    package init(
        _ dialect: QuestionDialect, method: String, target: String, host: String, isSecure: Bool, client: NetworkAddress?,
        asked: RequestHead
    ) throws(QuestionRefusal) {
        self.dialect = dialect
        self.client = client
        self.isSecure = isSecure
        self.asked = asked
        let described = QuestionReader.Described(method: method, target: target, host: host, isSecure: isSecure)
        head = try QuestionReader(asked).head(described)
    }
}

/// Reads the fields of a question. Each may occur once.
struct QuestionReader {
    /// The request line and host of the request in question.
    struct Described {
        var method: String
        /// Path and query.
        var target: String
        var host: String
        var isSecure: Bool
    }

    private let asked: RequestHead

    init(_ asked: RequestHead) { self.asked = asked }

    // MARK: Dialects

    func nginx() throws(QuestionRefusal) -> Described {
        try requireReading()
        let method = try required("x-original-method", "X-Original-Method")
        let uri = try once("x-original-uri", "X-Original-URI")
        guard let url = try once("x-original-url", "X-Original-URL") else {
            guard let uri else { throw .missing("X-Original-URL") }
            let isSecure = try proto().map { $0 == .https } ?? false
            return Described(method: method, target: uri, host: asked.authorityText, isSecure: isSecure)
        }
        let (scheme, host, target) = try Self.parts(of: url)
        if let uri, !uri.utf8.elementsEqual(target.utf8) { throw .contradictory("X-Original-URI") }
        if let proto = try proto(), proto != scheme { throw .contradictory("X-Forwarded-Proto") }
        return Described(method: method, target: target, host: host, isSecure: scheme == .https)
    }

    func forward() throws(QuestionRefusal) -> Described {
        try requireReading()
        guard let proto = try proto() else { throw .missing("X-Forwarded-Proto") }
        return Described(
            method: try required("x-forwarded-method", "X-Forwarded-Method"), target: try required("x-forwarded-uri", "X-Forwarded-Uri"),
            host: try required("x-forwarded-host", "X-Forwarded-Host"), isSecure: proto == .https)
    }

    /// `prefix`: the bytes of the path before the original one.
    func envoy(prefix: Int) throws(QuestionRefusal) -> Described {
        let target = asked.text(asked.pathRange.lowerBound + prefix..<asked.queryRange.upperBound)
        return Described(
            method: asked.methodText, target: target, host: asked.authorityText, isSecure: try proto().map { $0 == .https } ?? false)
    }

    // MARK: Parts

    private func requireReading() throws(QuestionRefusal) {
        guard asked.method == .get || asked.method == .head else { throw .method }
    }

    /// Scheme, host, and path with query, of an absolute URL.
    private static func parts(of url: String) throws(QuestionRefusal) -> (ClientResolution.Scheme, host: String, target: String) {
        let bytes = Array(url.utf8)
        let (scheme, start): (ClientResolution.Scheme, Int)
        if bytes.starts(with: "https://".utf8) {
            (scheme, start) = (.https, 8)
        } else if bytes.starts(with: "http://".utf8) {
            (scheme, start) = (.http, 7)
        } else {
            throw .invalid("X-Original-URL")
        }
        guard let slash = bytes[start...].firstIndex(of: UInt8(ascii: "/")), slash > start else { throw .invalid("X-Original-URL") }
        return (scheme, String(decoding: bytes[start..<slash], as: UTF8.self), String(decoding: bytes[slash...], as: UTF8.self))
    }

    /// The value of a header; nil if it is absent.
    private func once(_ lowerName: StaticString, _ name: String) throws(QuestionRefusal) -> String? {
        let bytes = asked.bytes.byteSpan
        var value: String?
        for field in asked.fields where field.name(in: bytes).equalsIgnoringCase(lowerName) {
            guard value == nil else { throw .repeated(name) }
            value = asked.text(field.valueStart, field.valueLength)
        }
        return value
    }

    private func required(_ lowerName: StaticString, _ name: String) throws(QuestionRefusal) -> String {
        guard let value = try once(lowerName, name), !value.isEmpty else { throw .missing(name) }
        return value
    }

    private func proto() throws(QuestionRefusal) -> ClientResolution.Scheme? {
        guard let text = try once("x-forwarded-proto", "X-Forwarded-Proto") else { return nil }
        switch text.lowercased() {
        // Traefik names the scheme of a WebSocket.
        case "https", "wss": return .https
        case "http", "ws": return .http
        default: throw .invalid("X-Forwarded-Proto")
        }
    }

    /// The last address of `X-Forwarded-For` that is not trusted.
    func client(trusted: CIDRSet, isRequired: Bool) throws(QuestionRefusal) -> NetworkAddress? {
        let bytes = asked.bytes.byteSpan
        var chain: [UInt8] = []
        for field in asked.fields where field.known == .xForwardedFor {
            if !chain.isEmpty { chain += ", ".utf8 }
            chain += Array(field.value(in: bytes))
        }
        if chain.isEmpty {
            if isRequired || asked.has(.xForwardedFor) { throw .missing("X-Forwarded-For") }
            return nil
        }
        guard let client = ClientResolution.lastUntrusted(of: chain.span.bytes, trusted: trusted) else {
            throw .invalid("X-Forwarded-For")
        }
        return client
    }

    // MARK: The head

    /// Fields that describe the question or the connection, not the request.
    private static let ownNames = FoldedNameSet(
        names: ForwardedNames.droppedFromUntrusted, prefixes: ForwardedNames.droppedPrefixesFromUntrusted)

    /// The head of the request in question. Larger than any question.
    private static let limits = HeadLimits(bytes: Int(Int32.max), fields: 20_000)

    func head(_ described: Described) throws(QuestionRefusal) -> RequestHead {
        // Another form of target would name another host.
        guard described.target.utf8.first == UInt8(ascii: "/") else { throw .path("path-not-absolute") }
        let path = described.target.utf8.prefix { $0 != UInt8(ascii: "?") }
        let findings = RequestPath.findings(of: Array(path).span.bytes)
        // Always strict: the proxy and the app read the path, too, and this gateway does not forward it.
        if let refusal = findings.refusal(under: .strict) { throw .path(refusal.rawValue) }
        var lines = LineBytes(capacity: asked.bytes.readableBytes + 256)
        lines.put(text: described.method)
        lines.put(" ")
        lines.put(text: described.target)
        lines.put(" HTTP/1.1\r\nhost: ")
        lines.put(text: described.host)
        lines.put("\r\n")
        let bytes = asked.bytes.byteSpan
        copySurvivors(asked.fields, bytes, into: &lines) { field in
            switch field.known {
            case .host, .contentLength, .expect, .xRequestID: true
            case .other: Self.ownNames.contains(field.name(in: bytes))
            default: field.known.isHopByHop || Self.ownNames.contains(field.name(in: bytes))
            }
        }
        lines.put("\r\n")
        return try Self.parsed(lines, described)
    }

    private static func parsed(_ lines: borrowing LineBytes, _ described: Described) throws(QuestionRefusal) -> RequestHead {
        var buffer = ByteBuffer()
        buffer.put(lines.bytes)
        var parser = RequestHeadParser(limits: limits)
        var head = RequestHead()
        do throws(WireError) {
            guard try parser.parse(&buffer, into: &head), buffer.readableBytes == 0 else { throw .requestLineMalformed }
        } catch {
            throw .request(error.rawValue)
        }
        // What was written is what was read.
        guard head.methodText == described.method, head.authorityText == described.host, !head.isAsteriskForm,
            head.text(head.pathRange.lowerBound..<head.queryRange.upperBound) == described.target, head.framing == .none
        else { throw .request(WireError.requestLineMalformed.rawValue) }
        return head
    }
}
