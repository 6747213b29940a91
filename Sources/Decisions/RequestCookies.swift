package import HTTPWire
import NIOCore
package import Sessions

extension RequestHead {
    /// The session cookies among the request's cookies. `bytes` are those of the head.
    @inline(__always)
    package func sessionCookies(_ cookies: SessionCookies, in bytes: RawSpan) -> FoundCookies {
        var found = FoundCookies()
        for index in 0..<fields.count where fields[index].known == .cookie {
            let field = fields[index]
            let line = field.value(in: bytes)
            let start = Int(field.valueStart)
            var pairs = CookieHeader(line)
            while let pair = pairs.next() {
                found.add(
                    start + pair.value.lowerBound..<start + pair.value.upperBound, cookies.kind(of: line.extracting(pair.name)))
            }
        }
        return found
    }

    /// Calls `body` with the cookies of all `Cookie` lines, in order.
    package func forEachCookie(_ body: (_ name: RawSpan, _ value: RawSpan) -> Void) {
        let bytes = bytes.byteSpan
        for field in fields where field.known == .cookie {
            let line = field.value(in: bytes)
            var pairs = CookieHeader(line)
            while let pair = pairs.next() { body(line.extracting(pair.name), line.extracting(pair.value)) }
        }
    }
}
