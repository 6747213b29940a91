/// A request method; common ones are identified without comparing bytes again.
public enum Method: UInt8, Sendable, CaseIterable {
    case get, head, post, put, delete, options, patch, other

    /// The raw value. Written out for inlining into other modules, as in `KnownField`.
    @inlinable
    public var number: UInt8 {
        switch self {
        case .get: 0
        case .head: 1
        case .post: 2
        case .put: 3
        case .delete: 4
        case .options: 5
        case .patch: 6
        case .other: 7
        }
    }

    @inlinable @inline(__always)
    public static func == (left: Method, right: Method) -> Bool { left.number == right.number }

    /// True if repeating the request has the effect of sending it once (RFC 9110 section 9.2.2).
    package var isIdempotent: Bool {
        switch self {
        case .get, .head, .put, .delete, .options: true
        default: false
        }
    }
}
