import Access
import HTTPWire
import Primitives

extension RequestInputs {
    /// Writes the values of this request, each followed by a byte that no value contains. False if its permit cannot be remembered.
    ///
    /// The bytes as received are used where they decide the value that a condition reads. Behind a trusted proxy, address and scheme are
    /// what `ClientResolution` makes of several fields.
    func write(_ head: RequestHead, _ connection: ConnectionFacts, into key: inout LineBytes) -> Bool {
        // Fields that end at this hop are no headers for conditions.
        if !headers.isEmpty, head.hasConnectionOptions { return false }
        let bytes = head.bytes.byteSpan
        key.removeAll()
        if path {
            if head.isAsteriskForm { key.put(UInt8(ascii: "*")) }
            // Both are parts of the request line.
            let start = method && !head.pathRange.isEmpty ? head.methodRange.lowerBound : head.pathRange.lowerBound
            put(bytes.extracting(start..<head.pathRange.upperBound), into: &key)
        }
        if method, !path || head.pathRange.isEmpty { put(bytes.extracting(head.methodRange), into: &key) }
        if host { put(bytes.extracting(head.authorityRange), into: &key) }
        if query { put(bytes.extracting(head.queryRange), into: &key) }
        if scheme {
            let isSecure = connection.peer.isTrusted ? ForwardingLines.isSecure(head, connection) : connection.isSecure
            key.put(isSecure ? UInt8(ascii: "s") : UInt8(ascii: "p"))
        }
        if address {
            if connection.peer.isTrusted {
                key.put(Array(ForwardingLines.client(head, connection).utf8))
            } else {
                key.put(connection.peerText)
            }
            key.put(Self.separator)
        }
        if !headers.isEmpty {
            for field in head.fields { putHeader(field, bytes, into: &key) }
        }
        return key.count <= PermitMemory.longestInputs
    }

    private static let separator = UInt8(ascii: "\n")

    @inline(__always)
    private func put(_ value: RawSpan, into key: inout LineBytes) {
        key.put(value)
        key.put(Self.separator)
    }

    @inline(__always)
    private func putHeader(_ field: FieldLine, _ bytes: RawSpan, into key: inout LineBytes) {
        for name in headers where Int(field.nameLength) == name.count {
            let own = field.name(in: bytes)
            guard own.equalsIgnoringCase(name.span.bytes) else { continue }
            put(own, into: &key)
            put(field.value(in: bytes), into: &key)
        }
    }
}
