/// Finds the first of many compiled patterns that a request matches.
///
/// Patterns are plain numbers over one array of bytes, so that looking at one touches no reference count. A first
/// comparison of eight bytes passes over most of them.
struct RouteMatcher: Sendable {
    let ignoringCase: Bool
    private var text: [UInt8] = []
    private var segments: [MatcherSegment] = []
    private var otherMethods: [MatcherText] = []
    private var routes: [MatcherRoute] = []
    /// One for each route, by itself so that looking for the first fitting one reads little memory.
    private var beginnings: [MatcherBeginning] = []
    /// True when some pattern is for a host.
    private(set) var usesHosts = false

    init(ignoringCase: Bool) { self.ignoringCase = ignoringCase }

    mutating func append(_ pattern: RoutePattern, host: String?, methods: [String]) throws(RoutePatternError) {
        var route = MatcherRoute()
        if let host {
            usesHosts = true
            switch try HostPattern(host) {
            case .exact(let name): (route.hostKind, route.host) = (.exact, store(name))
            case .suffix(let name): (route.hostKind, route.host) = (.suffix, store(name))
            }
        }
        let firstOther = otherMethods.count
        for method in methods {
            let bit = method.withBytes(MethodBits.init(method:))
            route.methods.formUnion(bit)
            if bit == .other { otherMethods.append(store(Array(method.utf8))) }
        }
        route.otherMethods = MatcherText(start: firstOther, count: otherMethods.count - firstOther)
        compile(pattern, into: &route)
        routes.append(route)
        beginnings.append(beginning(of: pattern, route.path))
    }

    private mutating func compile(_ pattern: RoutePattern, into route: inout MatcherRoute) {
        var literals: [[UInt8]] = []
        for case .literal(let literal) in pattern.segments.prefix(while: \.isLiteral) {
            literals.append(ignoringCase ? literal.map(ASCII.lower) : literal)
        }
        let beginning = literals.flatMap { [UInt8(ascii: "/")] + $0 }
        let rest = pattern.segments[literals.count...]
        if rest.isEmpty {
            route.path = .exact
        } else if rest.elementsEqual([.anyNumber]) {
            route.path = literals.isEmpty ? .everything : .beginning
        } else {
            route.path = .segments
            let first = segments.count
            for segment in pattern.segments {
                switch segment {
                case .literal(let literal):
                    segments.append(
                        MatcherSegment(kind: .literal, text: store(ignoringCase ? literal.map(ASCII.lower) : literal)))
                case .one, .capture: segments.append(MatcherSegment(kind: .one, text: MatcherText()))
                case .anyNumber: segments.append(MatcherSegment(kind: .anyNumber, text: MatcherText()))
                }
            }
            route.segments = MatcherText(start: first, count: segments.count - first)
        }
        route.literal = store(beginning)
    }

    private func beginning(of pattern: RoutePattern, _ kind: MatcherRoute.PathKind) -> MatcherBeginning {
        var result = MatcherBeginning()
        if ignoringCase { return result }
        var bytes: [UInt8] = []
        for case .literal(let literal) in pattern.segments.prefix(while: \.isLiteral) { bytes += [UInt8(ascii: "/")] + literal }
        // A path of exactly this text is followed by zeros in the word it is compared with.
        if kind == .exact { bytes.append(0) }
        for (index, byte) in bytes.prefix(8).enumerated() {
            result.word |= UInt64(byte) << UInt64(8 * index)
            result.mask |= 0xFF << UInt64(8 * index)
        }
        return result
    }

    private mutating func store(_ bytes: [UInt8]) -> MatcherText {
        defer { text.append(contentsOf: bytes) }
        return MatcherText(start: text.count, count: bytes.count)
    }

    func firstMatch(
        method: UnsafeRawBufferPointer, hostName: UnsafeRawBufferPointer, canonicalPath path: UnsafeRawBufferPointer
    ) -> Int? {
        let bit = MethodBits(method: method)
        var word: UInt64 = 0
        for index in 0..<min(8, path.count) { word |= UInt64(path[index]) << UInt64(8 * index) }
        return beginnings.withUnsafeBufferPointer { beginnings in
            for index in beginnings.indices where word & beginnings[index].mask == beginnings[index].word {
                let route = routes[index]
                if matchesMethod(route, method, bit), matchesHost(route, hostName), matchesPath(route, path) { return index }
            }
            return nil
        }
    }

    /// True when some pattern is for this host.
    func knows(hostName: UnsafeRawBufferPointer) -> Bool {
        for route in routes where matchesHost(route, hostName) { return true }
        return false
    }

    private func matchesMethod(_ route: MatcherRoute, _ method: UnsafeRawBufferPointer, _ bit: MethodBits) -> Bool {
        if route.methods.isEmpty { return true }
        guard route.methods.contains(bit) else { return false }
        if bit != .other { return true }
        for index in route.otherMethods.start..<route.otherMethods.start + route.otherMethods.count
        where equal(method, otherMethods[index], ignoringCase: false) {
            return true
        }
        return false
    }

    private func matchesHost(_ route: MatcherRoute, _ name: UnsafeRawBufferPointer) -> Bool {
        switch route.hostKind {
        case .any: return true
        case .exact: return equal(name, route.host, ignoringCase: true)
        case .suffix:
            let extra = name.count - route.host.count
            guard extra > 0 else { return false }
            return equal(UnsafeRawBufferPointer(rebasing: name[extra...]), route.host, ignoringCase: true)
        }
    }

    private func matchesPath(_ route: MatcherRoute, _ path: UnsafeRawBufferPointer) -> Bool {
        switch route.path {
        case .everything: return true
        case .exact: return equal(path, route.literal, ignoringCase: ignoringCase)
        case .beginning:
            let count = route.literal.count
            guard path.count == count || (path.count > count && path[count] == UInt8(ascii: "/")) else { return false }
            return equal(UnsafeRawBufferPointer(rebasing: path[..<count]), route.literal, ignoringCase: ignoringCase)
        case .segments: return matchesSegments(route.segments, path)
        }
    }

    /// Goes through the segments once, and back to the latest `**` when they do not fit.
    private func matchesSegments(_ pattern: MatcherText, _ path: UnsafeRawBufferPointer) -> Bool {
        let last = pattern.start + pattern.count
        var segment = pattern.start
        var start = 1
        var retry: (segment: Int, start: Int)?
        while start <= path.count {
            if segment < last, segments[segment].kind == .anyNumber {
                segment += 1
                retry = (segment, start)
                continue
            }
            let end = Self.segmentEnd(path, start)
            if segment < last, matchesSegment(segments[segment], UnsafeRawBufferPointer(rebasing: path[start..<end])) {
                segment += 1
                start = end + 1
            } else if let point = retry {
                segment = point.segment
                start = Self.segmentEnd(path, point.start) + 1
                retry = (segment, start)
            } else {
                return false
            }
        }
        while segment < last, segments[segment].kind == .anyNumber { segment += 1 }
        return segment == last
    }

    private func matchesSegment(_ segment: MatcherSegment, _ bytes: UnsafeRawBufferPointer) -> Bool {
        switch segment.kind {
        case .literal: equal(bytes, segment.text, ignoringCase: ignoringCase)
        case .one: !bytes.isEmpty
        case .anyNumber: true
        }
    }

    private static func segmentEnd(_ path: UnsafeRawBufferPointer, _ start: Int) -> Int {
        var end = start
        while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
        return end
    }

    /// Stored text is in lower case wherever case is ignored.
    private func equal(_ bytes: UnsafeRawBufferPointer, _ stored: MatcherText, ignoringCase: Bool) -> Bool {
        guard bytes.count == stored.count else { return false }
        for index in 0..<stored.count {
            let byte = ignoringCase ? ASCII.lower(bytes[index]) : bytes[index]
            if byte != text[stored.start + index] { return false }
        }
        return true
    }
}

/// A range of an array that the matcher holds.
struct MatcherText: Sendable {
    var start = 0
    var count = 0
}

struct MatcherSegment: Sendable {
    enum Kind: Sendable { case literal, one, anyNumber }
    var kind: Kind
    var text: MatcherText
}

struct MatcherRoute: Sendable {
    enum HostKind: Sendable { case any, exact, suffix }
    enum PathKind: Sendable { case everything, exact, beginning, segments }
    var hostKind = HostKind.any
    var path = PathKind.everything
    /// Empty: every method.
    var methods: MethodBits = []
    var otherMethods = MatcherText()
    var host = MatcherText()
    /// The literal segments before the first wildcard.
    var literal = MatcherText()
    var segments = MatcherText()
}

/// The first eight bytes of every path that a pattern matches, as far as `mask` says, the first byte lowest.
struct MatcherBeginning: Sendable {
    var word: UInt64 = 0
    var mask: UInt64 = 0
}

/// The usual methods as bits; methods are case-sensitive (RFC 9110 section 9.1).
struct MethodBits: OptionSet, Sendable {
    let rawValue: UInt8
    static let other = MethodBits(rawValue: 1 << 7)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(method: UnsafeRawBufferPointer) {
        // The bytes as one number, last byte lowest: no table to build and no loop over names.
        guard method.count >= 3, method.count <= 7, method[0] != 0 else {
            self = .other
            return
        }
        var word: UInt64 = 0
        for byte in method { word = word << 8 | UInt64(byte) }
        switch word {
        case 0x474554: self = MethodBits(rawValue: 1 << 0)  // GET
        case 0x48454144: self = MethodBits(rawValue: 1 << 1)  // HEAD
        case 0x504F5354: self = MethodBits(rawValue: 1 << 2)  // POST
        case 0x505554: self = MethodBits(rawValue: 1 << 3)  // PUT
        case 0x44454C455445: self = MethodBits(rawValue: 1 << 4)  // DELETE
        case 0x5041544348: self = MethodBits(rawValue: 1 << 5)  // PATCH
        case 0x4F5054494F4E53: self = MethodBits(rawValue: 1 << 6)  // OPTIONS
        default: self = .other
        }
    }
}

extension String {
    /// The UTF-8 bytes of the text; no copy for a text in native form.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var text = self
        return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}
