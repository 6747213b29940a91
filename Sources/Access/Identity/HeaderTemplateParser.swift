struct HeaderTemplateParser {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while bytes.last == 0x20 || bytes.last == 0x09 { bytes.removeLast() }
        // Offsets count from the template's first byte, so the leading white space is skipped rather than removed.
        self.bytes = Array(bytes)
        while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
    }

    mutating func parse() throws(HeaderTemplateError) -> [HeaderTemplate.Part] {
        var parts: [HeaderTemplate.Part] = []
        var literal: [UInt8] = []
        while index < bytes.count {
            if isAt("{{") {
                if !literal.isEmpty { parts.append(.literal(String(decoding: literal, as: UTF8.self))) }
                literal = []
                parts.append(try expression())
                continue
            }
            if isAt("}}") { throw HeaderTemplateError(reason: .malformedExpression, offset: index) }
            if HeaderText.isControl(bytes, at: index) { throw HeaderTemplateError(reason: .controlCharacter, offset: index) }
            literal.append(bytes[index])
            index += 1
        }
        if !literal.isEmpty { parts.append(.literal(String(decoding: literal, as: UTF8.self))) }
        return parts
    }

    private mutating func expression() throws(HeaderTemplateError) -> HeaderTemplate.Part {
        let start = index
        index += 2
        skipSpaces()
        if isAt("}}") { throw HeaderTemplateError(reason: .emptyExpression, offset: start) }
        let field = try field(expressionStart: start)
        var filters: [HeaderTemplate.Filter] = []
        while true {
            skipSpaces()
            if isAt("}}") { break }
            guard index < bytes.count else { throw HeaderTemplateError(reason: .unclosedExpression, offset: start) }
            guard bytes[index] == UInt8(ascii: "|") else { throw HeaderTemplateError(reason: .malformedExpression, offset: index) }
            index += 1
            skipSpaces()
            filters.append(try filter(after: filters, expressionStart: start))
        }
        index += 2
        return .value(field, filters)
    }

    private mutating func field(expressionStart: Int) throws(HeaderTemplateError) -> HeaderTemplate.Field {
        let start = index
        let name = word()
        if index == bytes.count { throw HeaderTemplateError(reason: .unclosedExpression, offset: expressionStart) }
        if name.isEmpty { throw HeaderTemplateError(reason: .malformedExpression, offset: start) }
        switch name {
        case "uid": return .uid
        case "email": return .email
        case "emailVerified": return .emailVerified
        case "username": return .username
        case "name": return .name
        case "picture": return .picture
        case "locale": return .locale
        case "groups": return .groups
        case "provider": return .provider
        case "authTime": return .authTime
        case "accessToken": return .accessToken
        case "idToken": return .idToken
        case "providers": return .providers
        case "anonymous": return .anonymous
        case "secondFactor": return .secondFactor
        default: break
        }
        guard name.hasPrefix("claims.") else { throw HeaderTemplateError(reason: .unknownName(name), offset: start) }
        let path = String(name.dropFirst("claims.".count))
        if path.isEmpty || path.hasPrefix(".") || path.hasSuffix(".") {
            throw HeaderTemplateError(reason: .emptyClaimPath, offset: start)
        }
        return .claim(path: path)
    }

    private mutating func filter(
        after filters: [HeaderTemplate.Filter], expressionStart: Int
    ) throws(HeaderTemplateError) -> HeaderTemplate.Filter {
        let start = index
        var name: [UInt8] = []
        while index < bytes.count, isLetterOrDigit(bytes[index]) {
            name.append(bytes[index])
            index += 1
        }
        if index == bytes.count { throw HeaderTemplateError(reason: .unclosedExpression, offset: expressionStart) }
        switch String(decoding: name, as: UTF8.self) {
        case "base64": return .base64
        case "urlencode": return .urlencode
        case "join":
            if !filters.isEmpty { throw HeaderTemplateError(reason: .joinAfterText, offset: start) }
            return .join(separator: try separator())
        case "": throw HeaderTemplateError(reason: .malformedExpression, offset: start)
        case let other: throw HeaderTemplateError(reason: .unknownFilter(other), offset: start)
        }
    }

    /// Parses `("…")` and returns the text between the quotes.
    private mutating func separator() throws(HeaderTemplateError) -> String {
        let start = index
        func malformed() -> HeaderTemplateError { HeaderTemplateError(reason: .malformedSeparator, offset: start) }
        guard take(UInt8(ascii: "(")) else { throw malformed() }
        skipSpaces()
        guard take(UInt8(ascii: "\"")) else { throw malformed() }
        let textStart = index
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            if HeaderText.isControl(bytes, at: index) { throw HeaderTemplateError(reason: .controlCharacter, offset: index) }
            index += 1
        }
        let text = bytes[textStart..<index]
        guard !text.isEmpty, take(UInt8(ascii: "\"")) else { throw malformed() }
        skipSpaces()
        guard take(UInt8(ascii: ")")) else { throw malformed() }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads up to white space, `|` or `}}`: claim names may contain anything else, as in `https://example.com/roles`.
    private mutating func word() -> String {
        let start = index
        while index < bytes.count, bytes[index] > 0x20, bytes[index] != UInt8(ascii: "|"), !isAt("}}") { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func skipSpaces() {
        while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private func isAt(_ text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

    private func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
