import Primitives

/// The functions of strings.
enum Strings {
    private static func texts(
        _ name: String, _ first: ConditionValue, _ second: ConditionValue, _ machine: inout Machine
    ) throws(ConditionReason) -> (String, String) {
        guard case .string(let text) = first, case .string(let other) = second else {
            throw .noOverload("\(first.typeName).\(name)(\(second.typeName))")
        }
        return (text, other)
    }

    static func startsWith(
        _ first: ConditionValue, _ second: ConditionValue, _ machine: inout Machine
    ) throws(ConditionReason) -> ConditionValue {
        let (text, prefix) = try texts("startsWith", first, second, &machine)
        try machine.charge(prefix.utf8.count)
        let bytes = text.utf8.span.bytes
        return .bool(bytes.byteCount >= prefix.utf8.count && bytes.extracting(first: prefix.utf8.count).equals(prefix.utf8.span.bytes))
    }

    static func endsWith(
        _ first: ConditionValue, _ second: ConditionValue, _ machine: inout Machine
    ) throws(ConditionReason) -> ConditionValue {
        let (text, suffix) = try texts("endsWith", first, second, &machine)
        try machine.charge(suffix.utf8.count)
        let bytes = text.utf8.span.bytes
        return .bool(bytes.byteCount >= suffix.utf8.count && bytes.extracting(last: suffix.utf8.count).equals(suffix.utf8.span.bytes))
    }

    static func contains(
        _ first: ConditionValue, _ second: ConditionValue, _ machine: inout Machine
    ) throws(ConditionReason) -> ConditionValue {
        let (text, part) = try texts("contains", first, second, &machine)
        try machine.charge(text.utf8.count + part.utf8.count, per: 32)
        return .bool(contains(Array(text.utf8), Array(part.utf8)))
    }

    /// The search of Knuth, Morris and Pratt, which looks at each byte at most twice.
    private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        guard let first = part.first else { return true }
        guard part.count <= text.count else { return false }
        if part.count == 1 { return text.contains(first) }
        var fallbacks = [0]
        fallbacks.reserveCapacity(part.count)
        var matched = 0
        for byte in part.dropFirst() {
            while matched > 0, part[matched] != byte { matched = fallbacks[matched - 1] }
            if part[matched] == byte { matched += 1 }
            fallbacks.append(matched)
        }
        matched = 0
        for byte in text {
            while matched > 0, part[matched] != byte { matched = fallbacks[matched - 1] }
            if part[matched] == byte { matched += 1 }
            if matched == part.count { return true }
        }
        return false
    }

    static func lowerASCII(_ value: ConditionValue, _ machine: inout Machine) throws(ConditionReason) -> ConditionValue {
        guard case .string(let text) = value else { throw .noOverload("\(value.typeName).lowerAscii()") }
        try machine.charge(text.utf8.count)
        guard text.utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return value }
        return .string(String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self))
    }
}
