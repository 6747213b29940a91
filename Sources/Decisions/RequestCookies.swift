package import HTTPWire
package import Sessions

extension RequestHead {
    /// Returns the session cookies among the request's cookies.
    @inline(__always)
    package func sessionCookies(_ bytes: UnsafePointer<UInt8>, _ cookies: SessionCookies) -> FoundCookies {
        var found = FoundCookies()
        // Not through `RequestCookies`, which counts a reference to the fields.
        for index in 0..<fields.count where fields[index].known == .cookie {
            let field = fields[index]
            let line = UnsafeRawBufferPointer(start: bytes + Int(field.valueStart), count: Int(field.valueLength))
            var pairs = CookieHeader(line)
            while let pair = pairs.next() {
                found.add(
                    UnsafeRawBufferPointer(rebasing: line[pair.value]), cookies.kind(of: UnsafeRawBufferPointer(rebasing: line[pair.name])))
            }
        }
        return found
    }
}

/// The cookie pairs of all `Cookie` lines of a request, in order.
package struct RequestCookies: Sequence, IteratorProtocol {
    private let fields: FieldList
    private let bytes: UnsafePointer<UInt8>
    private var line = 0
    private var value = UnsafeRawBufferPointer(start: nil, count: 0)
    private var pairs = CookieHeader(UnsafeRawBufferPointer(start: nil, count: 0))

    package init(_ head: RequestHead, _ bytes: UnsafePointer<UInt8>) {
        fields = head.fields
        self.bytes = bytes
    }

    package mutating func next() -> (name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)? {
        while true {
            if let pair = pairs.next() {
                return (UnsafeRawBufferPointer(rebasing: value[pair.name]), UnsafeRawBufferPointer(rebasing: value[pair.value]))
            }
            while line < fields.count, fields[line].known != .cookie { line += 1 }
            guard line < fields.count else { return nil }
            value = UnsafeRawBufferPointer(start: bytes + Int(fields[line].valueStart), count: Int(fields[line].valueLength))
            pairs = CookieHeader(value)
            line += 1
        }
    }
}
