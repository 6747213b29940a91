import HTTPWire
import Primitives

/// The pairs of a `Cookie` field lie in it in order, and what is stripped is gone in every reading while the rest stays.
/// The first line is the name to strip, the rest the field's value.
enum CookieTarget {
    static func check(_ input: [UInt8]) throws(Broken) {
        let name = Array(input.prefix { $0 != 0x0A })
        let value = Array(input.dropFirst(name.count + 1))
        let pairs = try pairs(of: value)
        let stripped = strip(name, from: value)
        let kept = pairs.filter { $0.name != name }
        try hold(stripped.survivors == kept.count, "not every other pair survives")
        try hold((stripped.bytes.isEmpty) == kept.isEmpty, "something is left of nothing")
        try hold(try self.pairs(of: stripped.bytes) == kept, "what is left is not what was kept")
        try hold(strip(name, from: stripped.bytes).bytes == stripped.bytes, "stripping again changes it")
        switch lookup(name, in: value) {
        case .none: try hold(kept.count == pairs.count, "a cookie that is there is not found")
        case .one(let range):
            try hold(pairs.count == kept.count + 1, "one of several cookies is taken")
            try hold(pairs.first { $0.name == name }?.value == Array(value[range]), "another cookie's value is taken")
        case .several: try hold(pairs.count > kept.count + 1, "one cookie counts as several")
        }
        guard case .none = lookup(name, in: stripped.bytes) else { throw Broken("a stripped cookie is found") }
        try checkPlainReading(stripped.bytes, name)
    }

    private struct Pair: Equatable {
        var name: [UInt8]
        var value: [UInt8]
    }

    private static func pairs(of value: [UInt8]) throws(Broken) -> [Pair] {
        var found = CookieHeader(value.span.bytes)
        var end = 0
        var pairs: [Pair] = []
        while let pair = found.next() {
            try hold(pair.whole.lowerBound >= end && pair.whole.upperBound <= value.count && !pair.whole.isEmpty, "a pair lies elsewhere")
            try hold(
                pair.name.lowerBound >= pair.whole.lowerBound && pair.name.upperBound <= pair.value.lowerBound, "name and value overlap")
            try hold(pair.value.upperBound == pair.whole.upperBound, "a value does not end its pair")
            end = pair.whole.upperBound
            pairs.append(Pair(name: Array(value[pair.name]), value: Array(value[pair.value])))
        }
        return pairs
    }

    private static func strip(_ name: [UInt8], from value: [UInt8]) -> (bytes: [UInt8], survivors: Int) {
        var output: [UInt8] = []
        let survivors = CookieHeader.strippingPairs(from: value.span.bytes, into: &output) { $0.equals(name) }
        return (output, survivors)
    }

    private static func lookup(_ name: [UInt8], in value: [UInt8]) -> CookieHeader.Lookup {
        CookieHeader.value(named: name.span.bytes, in: value.span.bytes)
    }

    /// A reader that only knows `;` and the first `=`.
    private static func checkPlainReading(_ value: [UInt8], _ name: [UInt8]) throws(Broken) {
        guard !name.isEmpty, trimmed(name[...]) == name else { return }
        for piece in value.split(separator: UInt8(ascii: ";")) {
            guard let equals = piece.firstIndex(of: UInt8(ascii: "=")) else { continue }
            try hold(trimmed(piece[..<equals]) != name, "a plain reading finds the stripped cookie")
        }
    }
}
