/// The segments of a canonical path, as offsets into its bytes.
struct RequestSegments: PathSegments {
    private let path: UnsafeRawBufferPointer
    private let ignoringCase: Bool

    init(of path: UnsafeRawBufferPointer, ignoringCase: Bool) {
        self.path = path
        self.ignoringCase = ignoringCase
    }

    /// A path without a leading slash has no segments, so only a pattern for everything matches it.
    @inline(__always)
    var start: Int { path.first == UInt8(ascii: "/") ? 1 : end }
    var end: Int { path.count + 1 }

    @inline(__always)
    func step(at position: Int, from node: UInt32, _ literals: ByteTable.ViewPointer?) -> PathStep {
        var index = position
        guard let literals else {
            while index < path.count, path[index] != UInt8(ascii: "/") { index += 1 }
            return PathStep(next: index + 1, matchesOne: index > position)
        }
        var hash = ByteHash(scope: node)
        if ignoringCase {
            while index < path.count, path[index] != UInt8(ascii: "/") {
                hash.add(ASCII.lower(path[index]))
                index += 1
            }
        } else {
            while index < path.count, path[index] != UInt8(ascii: "/") {
                hash.add(path[index])
                index += 1
            }
        }
        let segment = UnsafeRawBufferPointer(rebasing: path[position..<index])
        return PathStep(
            next: index + 1, literal: literals.pointee.value(of: segment, hash: hash, scope: node, folding: ignoringCase),
            matchesOne: index > position)
    }
}

/// The segments of a pattern, to find patterns that cover it. `*` covers `*` and non-empty literals, `**` covers everything, and a
/// literal covers itself.
struct PatternSegments: PathSegments {
    /// Segments with literals in lower case if case is ignored.
    let segments: [RoutePattern.Segment]

    var start: Int { 0 }
    var end: Int { segments.count }

    func step(at position: Int, from node: UInt32, _ literals: ByteTable.ViewPointer?) -> PathStep {
        switch segments[position] {
        case .anyNumber: return PathStep(next: position + 1, matchesOne: false)
        case .one, .capture: return PathStep(next: position + 1, matchesOne: true)
        case .literal(let literal):
            var step = PathStep(next: position + 1, matchesOne: !literal.isEmpty)
            guard let literals else { return step }
            var hash = ByteHash(scope: node)
            for byte in literal { hash.add(byte) }
            step.literal = literal.withUnsafeBytes { literals.pointee.value(of: $0, hash: hash, scope: node, folding: false) }
            return step
        }
    }
}
