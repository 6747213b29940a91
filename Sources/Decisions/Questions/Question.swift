package import HTTPWire
import NIOCore
package import Primitives

/// The request that another proxy asks about.
///
/// Its request line and host are written anew and parsed by the parser of all requests, and its other fields were parsed with the question.
/// So a question obeys the same rules as a request.
package struct Question: Sendable {
    package let dialect: QuestionDialect
    package let head: RequestHead
    /// The client's address; nil if the proxy does not tell it.
    package let client: NetworkAddress?
    /// The client uses https.
    package let isSecure: Bool
    /// The fields of the request as they came, for a dialect whose own head does not have them.
    package let asked: AskedHead?

    private static let envoyPrefix: StaticString = "/envoy/"

    /// Reads a question over HTTP. `trusted`: proxies between the client and the one that asks.
    package init(_ asked: RequestHead, trusted: CIDRSet) throws(QuestionRefusal) {
        var parser = QuestionReader.makeParser()
        try self.init(asked, trusted: trusted, parser: &parser, memory: RequestHead())
    }

    /// The same with a parser and the head of an earlier question, whose memory is used again.
    package init(
        _ asked: RequestHead, trusted: CIDRSet, parser: inout RequestHeadParser, memory: consuming RequestHead
    ) throws(QuestionRefusal) {
        let bytes = asked.bytes.byteSpan
        let path = bytes.extracting(asked.pathRange)
        if path.equals("/nginx") {
            dialect = .nginx
        } else if path.equals("/forward") {
            dialect = .forward
        } else if path.byteCount >= Self.envoyPrefix.utf8CodeUnitCount,
            path.extracting(first: Self.envoyPrefix.utf8CodeUnitCount).equals(Self.envoyPrefix)
        {
            dialect = .envoy
        } else {
            throw .unknownEndpoint
        }
        let reader = QuestionReader(asked, dialect)
        let described =
            switch dialect {
            case .nginx: try reader.nginx()
            case .forward: try reader.forward()
            // The slash is the original path's.
            case .envoy, .grpc: try reader.envoy(prefix: Self.envoyPrefix.utf8CodeUnitCount - 1)
            }
        client = try reader.client(trusted: trusted, isRequired: dialect == .forward)
        isSecure = described.isSecure
        try reader.read(
            method: bytes.extracting(described.method), target: bytes.extracting(described.target), host: bytes.extracting(described.host),
            into: &memory, with: &parser)
        head = memory
        self.asked = nil
    }

    /// A parser for `init(_:trusted:parser:memory:)`.
    package static func makeParser() -> RequestHeadParser { QuestionReader.makeParser() }

    /// A question whose parts are known. `asked`: a head with the fields of the request.
    ///
    /// `isSecure` is what the client said: over HTTP/2 it writes `:scheme` itself. `X-Forwarded-Proto` is the proxy's, so both must say https.
    package init(
        _ dialect: QuestionDialect, method: String, target: String, host: String, isSecure: Bool, client: NetworkAddress?,
        asked: RequestHead
    ) throws(QuestionRefusal) {
        self.dialect = dialect
        self.client = client
        let reader = QuestionReader(asked, dialect)
        let proto = try reader.proto()
        self.isSecure = isSecure && proto != .http
        self.asked = AskedHead(asked)
        var (head, parser) = (RequestHead(), QuestionReader.makeParser())
        try reader.read(
            method: method.utf8.span.bytes, target: target.utf8.span.bytes, host: host.utf8.span.bytes, into: &head, with: &parser)
        self.head = head
    }
}

/// The head of a request, boxed so that a `Question` stays small: few questions have one.
package final class AskedHead: Sendable {
    package let head: RequestHead

    init(_ head: RequestHead) { self.head = head }
}

/// Reads the fields of a question. Each may occur once.
struct QuestionReader {
    /// The request line and host of the request in question, as ranges of the question's bytes.
    struct Described {
        var method: Range<Int>
        /// Path and query.
        var target: Range<Int>
        var host: Range<Int>
        var isSecure: Bool
    }

    private let asked: RequestHead
    private let headers: QuestionHeaders

    init(_ asked: RequestHead, _ dialect: QuestionDialect) {
        self.asked = asked
        headers = dialect.headers
    }

    // MARK: Dialects

    func nginx() throws(QuestionRefusal) -> Described {
        try requireReading()
        let method = try required(.originalMethod)
        let proto = try proto()
        let uri = try once(.originalURI)
        guard let url = try once(.originalURL) else {
            guard let uri else { throw .missing(QuestionHeader.originalURL.name) }
            return Described(method: method, target: uri, host: asked.authorityRange, isSecure: proto == .https)
        }
        let parts = try parts(of: url)
        if let uri {
            // One of the two may be the client's.
            let bytes = asked.bytes.byteSpan
            let isSameTarget = bytes.extracting(uri).equals(bytes.extracting(parts.target))
            guard isSameTarget else { throw .contradictory(QuestionHeader.originalURI.name) }
            guard isSameHost(asked.authorityRange, parts.host) else { throw .contradictory("Host") }
            guard (proto ?? .http) == parts.scheme else { throw .contradictory(QuestionHeader.originalURL.name) }
        } else if let proto, proto != parts.scheme {
            throw .contradictory(QuestionHeader.forwardedProto.name)
        }
        return Described(method: method, target: parts.target, host: parts.host, isSecure: parts.scheme == .https)
    }

    func forward() throws(QuestionRefusal) -> Described {
        try requireReading()
        guard let proto = try proto() else { throw .missing(QuestionHeader.forwardedProto.name) }
        return Described(
            method: try required(.forwardedMethod), target: try required(.forwardedURI), host: try required(.forwardedHost),
            isSecure: proto == .https)
    }

    /// `prefix`: the bytes of the path before the original one.
    func envoy(prefix: Int) throws(QuestionRefusal) -> Described {
        Described(
            method: asked.methodRange, target: asked.pathRange.lowerBound + prefix..<asked.queryRange.upperBound,
            host: asked.authorityRange, isSecure: try proto() == .https)
    }

    // MARK: Parts

    private func requireReading() throws(QuestionRefusal) {
        guard asked.method == .get || asked.method == .head else { throw .method }
    }

    /// Scheme, host, and path with query, of an absolute URL.
    private func parts(of url: Range<Int>) throws(QuestionRefusal) -> (
        scheme: ClientResolution.Scheme, host: Range<Int>, target: Range<Int>
    ) {
        let bytes = asked.bytes.byteSpan.extracting(url)
        func starts(_ text: StaticString) -> Bool {
            bytes.byteCount >= text.utf8CodeUnitCount && bytes.extracting(first: text.utf8CodeUnitCount).equals(text)
        }
        let (scheme, length): (ClientResolution.Scheme, Int)
        if starts("https://") {
            (scheme, length) = (.https, 8)
        } else if starts("http://") {
            (scheme, length) = (.http, 7)
        } else {
            throw .invalid(QuestionHeader.originalURL.name)
        }
        guard let slash = bytes.extracting(droppingFirst: length).firstOffset(of: UInt8(ascii: "/")), slash > 0 else {
            throw .invalid(QuestionHeader.originalURL.name)
        }
        let host = url.lowerBound + length
        return (scheme, host..<host + slash, host + slash..<url.upperBound)
    }

    /// Whether two hosts are spelled alike but for case.
    private func isSameHost(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
        let bytes = asked.bytes.byteSpan
        guard first.count == second.count else { return false }
        func folded(_ byte: UInt8) -> UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte }
        return zip(first, second).allSatisfy { folded(bytes[$0]) == folded(bytes[$1]) }
    }

    /// The value of a header; nil if it is absent or does not belong to the dialect.
    private func once(_ header: QuestionHeader) throws(QuestionRefusal) -> Range<Int>? {
        guard headers.contains(header) else { return nil }
        let bytes = asked.bytes.byteSpan
        var value: Range<Int>?
        for field in asked.fields where field.name(in: bytes).equalsIgnoringCase(header.lowerName) {
            guard value == nil else { throw .repeated(header.name) }
            value = Int(field.valueStart)..<Int(field.valueStart) + Int(field.valueLength)
        }
        return value
    }

    private func required(_ header: QuestionHeader) throws(QuestionRefusal) -> Range<Int> {
        guard let value = try once(header), !value.isEmpty else { throw .missing(header.name) }
        return value
    }

    /// The scheme that the proxy names.
    func proto() throws(QuestionRefusal) -> ClientResolution.Scheme? {
        guard let range = try once(.forwardedProto) else { return nil }
        let text = asked.bytes.byteSpan.extracting(range)
        // Traefik names the scheme of a WebSocket.
        if text.equalsIgnoringCase("https") || text.equalsIgnoringCase("wss") { return .https }
        if text.equalsIgnoringCase("http") || text.equalsIgnoringCase("ws") { return .http }
        throw .invalid(QuestionHeader.forwardedProto.name)
    }

    /// The last address of `X-Forwarded-For` that is not trusted.
    func client(trusted: CIDRSet, isRequired: Bool) throws(QuestionRefusal) -> NetworkAddress? {
        let bytes = asked.bytes.byteSpan
        guard asked.has(.xForwardedFor) else {
            if isRequired { throw .missing("X-Forwarded-For") }
            return nil
        }
        var chain: [UInt8] = []
        var only: Range<Int>?
        for field in asked.fields where field.known == .xForwardedFor {
            let value = Int(field.valueStart)..<Int(field.valueStart) + Int(field.valueLength)
            // Nearly always there is one field, whose bytes need no copy.
            if only == nil, chain.isEmpty {
                only = value
                continue
            }
            if let first = only.take(), !first.isEmpty { chain += Array(bytes.extracting(first)) }
            if !chain.isEmpty { chain += ", ".utf8 }
            chain += Array(bytes.extracting(value))
        }
        if only?.isEmpty ?? chain.isEmpty { throw .missing("X-Forwarded-For") }
        let client =
            if let only {
                ClientResolution.lastUntrusted(of: bytes.extracting(only), trusted: trusted)
            } else {
                ClientResolution.lastUntrusted(of: chain.span.bytes, trusted: trusted)
            }
        guard let client else { throw .invalid("X-Forwarded-For") }
        return client
    }

    // MARK: The head

    /// Fields that describe the question or the connection, not the request.
    private static let ownNames = FoldedNameSet(
        names: ForwardedNames.droppedFromUntrusted, prefixes: ForwardedNames.droppedPrefixesFromUntrusted)

    /// A parser for heads of requests in question. Its limits are larger than any question.
    static func makeParser() -> RequestHeadParser { RequestHeadParser(limits: HeadLimits(bytes: Int(Int32.max), fields: 20_000)) }

    /// Makes the head of the request in question. `head` brings memory.
    func read(
        method: RawSpan, target: RawSpan, host: RawSpan, into head: inout RequestHead, with parser: inout RequestHeadParser
    ) throws(QuestionRefusal) {
        // Another form of target would name another host.
        guard target.first == UInt8(ascii: "/") else { throw .path("path-not-absolute") }
        let findings = RequestPath.findings(of: target.extracting(first: target.firstOffset(of: UInt8(ascii: "?")) ?? target.byteCount))
        // Always strict: the proxy and the app read the path, too, and this gateway does not forward it.
        if let refusal = findings.refusal(under: .strict) { throw .path(refusal.rawValue) }
        let bytes = asked.bytes.byteSpan
        do throws(WireError) {
            try parser.head(method: method, target: target, host: host, fieldsOf: asked, into: &head) { field in
                switch field.known {
                case .xRequestID, .forwarded, .xForwardedFor, .xForwardedHost, .xForwardedProto: false
                case .accept, .authorization, .cookie, .origin, .referer, .secFetchDest, .secFetchMode, .secFetchSite: true
                default: !Self.ownNames.contains(field.name(in: bytes))
                }
            }
        } catch {
            // It stopped within a head.
            parser = Self.makeParser()
            throw .request(error.rawValue)
        }
        // What was written is what was read.
        let read = head.bytes.byteSpan
        guard read.extracting(head.methodRange).equals(method), read.extracting(head.authorityRange).equals(host), !head.isAsteriskForm,
            read.extracting(head.pathRange.lowerBound..<head.queryRange.upperBound).equals(target), head.framing == .none
        else { throw .request(WireError.requestLineMalformed.rawValue) }
    }
}
