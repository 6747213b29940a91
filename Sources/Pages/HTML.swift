/// Markup that is safe to send: literals are markup, every interpolated `String` is text and is escaped.
///
/// There is no way to turn a `String` into markup without escaping it outside this file, so a page cannot
/// forget it. Attribute values must be written in double quotes.
package struct HTML: Sendable, Equatable, ExpressibleByStringInterpolation {
    /// The markup itself.
    package let source: String

    package init(stringLiteral value: String) { source = value }
    package init(stringInterpolation: StringInterpolation) { source = stringInterpolation.source }
    fileprivate init(trusted source: String) { self.source = source }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var source = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            source.reserveCapacity(literalCapacity + interpolationCount * 16)
        }
        package mutating func appendLiteral(_ literal: String) { source += literal }
        /// Text: escaped.
        package mutating func appendInterpolation(_ text: String) { source += HTML.escape(text) }
        package mutating func appendInterpolation(_ number: Int) { source += String(number) }
        package mutating func appendInterpolation(_ html: HTML) { source += html.source }
        package mutating func appendInterpolation(_ html: HTML?) { source += html?.source ?? "" }
        package mutating func appendInterpolation(_ link: LinkTarget) { source += HTML.escape(link.text) }
    }

    package var bytes: [UInt8] { Array(source.utf8) }
    package var isEmpty: Bool { source.isEmpty }

    /// Whether a tag opens an element with this name, in any case. Text is escaped, so every tag is markup.
    func containsTag(_ name: String) -> Bool {
        source.utf8.indices.contains { index in
            guard source.utf8[index] == UInt8(ascii: "<") else { return false }
            let rest = source.utf8[index...].dropFirst()
            guard rest.prefix(name.utf8.count).elementsEqual(name.utf8, by: { $0 | 0x20 == $1 }) else { return false }
            return rest.dropFirst(name.utf8.count).first.map { " \t\n\u{C}\r/>".utf8.contains($0) } ?? false
        }
    }

    /// The pieces one after the other.
    package static func joined(_ pieces: [HTML]) -> HTML { HTML(trusted: pieces.map(\.source).joined()) }

    /// A style sheet for a `<style>` element, where escaping does not apply.
    ///
    /// `StyleSheet` is made of literals only and refuses `<`, so it cannot end the element.
    static func style(_ sheet: StyleSheet) -> HTML { HTML(trusted: sheet.css) }

    /// A script for a `<script>` element, where escaping does not apply.
    ///
    /// `PageScript` is a literal and refuses `<`, so it cannot end the element.
    static func script(_ script: PageScript) -> HTML { HTML(trusted: script.source) }

    /// What a template of `PageTemplates` rendered: its literals are the operator's markup, its values were escaped.
    static func template(_ rendered: String) -> HTML { HTML(trusted: rendered) }

    /// The text with `& < > " '` as character references, control characters but tab and line ends as U+FFFD, and
    /// the characters that reorder text on the screen (UAX 9 embeddings, overrides, isolates) as U+FFFD.
    package static func escape(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count + 8)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\t", "\n", "\r": result.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": result.unicodeScalars.append("\u{FFFD}")
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": result.unicodeScalars.append("\u{FFFD}")
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
