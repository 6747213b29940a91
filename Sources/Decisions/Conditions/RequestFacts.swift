package import Primitives
package import Access
package import Conditions
package import HTTPWire
import NIOCore

/// The variable `request` of conditions. Each field is computed from the head when it is read.
package final class RequestFacts: ConditionRequest {
    private let head: RequestHead
    private let connection: ConnectionFacts
    private let requestID: RequestID
    private let site: Site
    private let reads: ConditionReads
    /// Unix milliseconds.
    private let now: Int64

    package var typeName: String { "request" }

    package init(_ head: RequestHead, _ context: RequestContext, _ site: Site, reads: ConditionReads?, now: Int64) {
        self.head = head
        connection = context.connection
        requestID = context.requestID
        self.site = site
        self.reads = reads ?? ConditionReads()
        self.now = now
    }

    package func field(at index: Int) -> ConditionValue? {
        guard let field = RequestField(rawValue: index) else { return nil }
        switch field {
        case .method: return .string(head.methodText)
        case .host: return .string(host)
        case .path: return .string(String(decoding: canonicalPath, as: UTF8.self))
        case .query: return query
        case .headers: return .map(headers)
        case .scheme: return .string(isSecure ? "https" : "http")
        case .address: return clientAddress.map { .address($0) }
        case .time: return .time(milliseconds: now)
        case .id: return .string(requestID.text)
        case .clientCertificate: return connection.tls?.clientCertificate.map { .object(CertificateValue($0)) } ?? .null
        }
    }

    package var clientAddress: NetworkAddress? {
        guard connection.peer.isTrusted else { return connection.peer.address }
        return NetworkAddress(ForwardingLines.client(head, connection))
    }

    package var canonicalPath: [UInt8] {
        guard !head.pathRange.isEmpty else { return Array(head.pathText.utf8) }
        let bytes = head.bytes
        var path: [UInt8] = []
        RequestPath.appendCanonical(bytes.byteSpan.extracting(head.pathRange), to: &path)
        return path
    }

    /// As routes match it: lower case, without port and trailing dot.
    private var host: String {
        let bytes = head.bytes
        return Self.lower(HostPattern.name(of: bytes.byteSpan.extracting(head.authorityRange)))
    }

    private var isSecure: Bool {
        connection.peer.isTrusted ? ForwardingLines.isSecure(head, connection) : connection.isSecure
    }

    /// Nil for a query that is no form: programs disagree about what it says.
    private var query: ConditionValue? {
        let bytes = head.bytes
        let query = bytes.byteSpan.extracting(head.queryRange).extracting(droppingFirst: 1)
        return QueryParameters.values(in: query, named: reads.query).map { parameters in
            .map(ConditionMap(strings: parameters.map { ($0.name, .list($0.values.map { .string($0) })) }))
        }
    }

    /// The fields that a client may set, by their lower-case names. Fields that end at this hop, identity headers and forwarding fields are
    /// not among them; `cookie` is without the gateway's cookies. The result is the same over HTTP/1.1 and HTTP/2.
    private var headers: ConditionMap {
        let head = head
        let bytes = head.bytes.byteSpan
        let options = head.hasConnectionOptions ? ConnectionOptions(head.fields, bytes) : nil
        var values: [(name: String, value: String)] = []
        var positions: [String: Int] = [:]
        for field in head.fields {
            if field.known == .host || field.known == .cookie || field.known.isHopByHop || options?.contains(field, bytes) ?? false {
                continue
            }
            let name = field.name(in: bytes)
            guard reads.mayRead(header: name), !site.identity.strippedFromUntrusted.contains(name) else { continue }
            let lower = Self.lower(name)
            let value = String(decoding: field.value(in: bytes))
            if let position = positions[lower] {
                values[position].value += ", " + value
            } else {
                positions[lower] = values.count
                values.append((lower, value))
            }
        }
        if reads.mayRead(header: ("cookie" as StaticString).bytes), let cookies = cookies(bytes) { values.append(("cookie", cookies)) }
        return ConditionMap(strings: values.map { ($0.name, .string($0.value)) })
    }

    private func cookies(_ bytes: RawSpan) -> String? {
        var kept: [String] = []
        for field in head.fields where field.known == .cookie {
            let value = field.value(in: bytes)
            var pairs = CookieHeader(value)
            while let pair = pairs.next() {
                if !site.cookieNames.isOurs(value.extracting(pair.name)) { kept.append(String(decoding: value.extracting(pair.whole))) }
            }
        }
        return kept.isEmpty ? nil : kept.joined(separator: "; ")
    }

    private static func lower(_ text: RawSpan) -> String {
        let lower = text.byteOffsets.map { text[$0] >= 0x41 && text[$0] <= 0x5A ? text[$0] | 0x20 : text[$0] }
        return String(decoding: lower, as: UTF8.self)
    }
}

/// The certificate of a client, as conditions read it.
private final class CertificateValue: ConditionObject {
    private let certificate: ClientCertificate

    var typeName: String { "clientCertificate" }

    init(_ certificate: ClientCertificate) { self.certificate = certificate }

    func field(at index: Int) -> ConditionValue? {
        switch index {
        case 0: .string(certificate.subject)
        case 1: .list(certificate.names.map { .string($0) })
        case 2: .string(certificate.fingerprint)
        default: nil
        }
    }
}
