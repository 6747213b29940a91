/// A language of the pages. English is the source; the others translate it sentence by sentence.
package struct Language: Sendable, Hashable {
    /// BCP 47, as it stands in `lang`.
    package let tag: String

    private init(tag: String) { self.tag = tag }

    package static let english = Language(tag: "en")
    package static let german = Language(tag: "de")
    package static let spanish = Language(tag: "es")
    package static let french = Language(tag: "fr")
    package static let indonesian = Language(tag: "id")
    package static let vietnamese = Language(tag: "vi")
    package static let traditionalChinese = Language(tag: "zh-Hant")
    package static let japanese = Language(tag: "ja")

    package static let all = [english, german, spanish, french, indonesian, vietnamese, traditionalChinese, japanese]

    /// English sentence → this language's. Empty for English.
    var table: [String: String] { Self.tables[self] ?? [:] }

    private static let tables: [Language: [String: String]] = [
        german: joined(
            Translations.german, Translations.germanAccounts, Translations.germanAccountErrors, Translations.germanMail,
            Translations.germanSecondFactors),
        spanish: joined(
            Translations.spanish, Translations.spanishAccounts, Translations.spanishAccountErrors, Translations.spanishMail,
            Translations.spanishSecondFactors),
        french: joined(
            Translations.french, Translations.frenchAccounts, Translations.frenchAccountErrors, Translations.frenchMail,
            Translations.frenchSecondFactors),
        indonesian: joined(
            Translations.indonesian, Translations.indonesianAccounts, Translations.indonesianAccountErrors, Translations.indonesianMail,
            Translations.indonesianSecondFactors),
        vietnamese: joined(
            Translations.vietnamese, Translations.vietnameseAccounts, Translations.vietnameseAccountErrors, Translations.vietnameseMail,
            Translations.vietnameseSecondFactors),
        traditionalChinese: joined(
            Translations.traditionalChinese, Translations.traditionalChineseAccounts, Translations.traditionalChineseAccountErrors,
            Translations.traditionalChineseMail,
            Translations.traditionalChineseSecondFactors),
        japanese: joined(
            Translations.japanese, Translations.japaneseAccounts, Translations.japaneseAccountErrors, Translations.japaneseMail,
            Translations.japaneseSecondFactors),
    ]

    /// Of a sentence that stands in several tables, the first counts; a test refuses that.
    private static func joined(_ tables: [String: String]...) -> [String: String] {
        tables.reduce(into: [:]) { all, table in all.merge(table) { first, _ in first } }
    }

    /// The sentence in this language; the English one where it has none.
    package func callAsFunction(_ english: String) -> String { table[english] ?? english }

    /// The sentence with `{name}` replaced by markup; everything else is text.
    func callAsFunction(_ english: String, _ values: KeyValuePairs<String, HTML>) -> HTML {
        var pieces: [HTML] = []
        for part in self(english).split(separator: "{", omittingEmptySubsequences: false) {
            if let end = part.firstIndex(of: "}"), let value = values.first(where: { $0.key == part[..<end] })?.value {
                pieces.append(value)
                pieces.append("\(String(part[part.index(after: end)...]))")
            } else {
                pieces.append("\(String(part))")
            }
        }
        return HTML.joined(pieces)
    }

    /// The first requested language that the pages have (RFC 4647 section 3.4, lookup), English without one.
    ///
    /// - Parameters:
    ///   - uiLocales: space-separated tags in order of preference (OpenID Connect Core section 3.1.2.1); goes before
    ///   - acceptLanguage: the field's value (RFC 9110 section 12.5.4). Of equal weights the first counts; weight 0 refuses.
    package static func negotiated(uiLocales: String?, acceptLanguage: String?) -> Language {
        for tag in (uiLocales ?? "").prefix(256).split(separator: " ") {
            if let language = matching(tag) { return language }
        }
        var best: (language: Language, weight: Int)?
        for range in (acceptLanguage ?? "").prefix(512).split(separator: ",") {
            let parts = range.split(separator: ";").map(trimmed)
            guard let tag = parts.first, let weight = weight(parts.dropFirst()), weight > best?.weight ?? 0,
                let language = tag == "*" ? english : matching(tag)
            else { continue }
            best = (language, weight)
        }
        return best?.language ?? english
    }

    /// A tag, or its beginning, among ours. Chinese is written in two scripts, and `zh-CN` is not served by the other one.
    private static func matching(_ tag: Substring) -> Language? {
        let subtags = tag.lowercased().split(separator: "-")
        if subtags.first == "zh" {
            let isTraditional = subtags.dropFirst().contains { ["hant", "tw", "hk", "mo"].contains($0) }
            return isTraditional && !subtags.contains("hans") ? traditionalChinese : nil
        }
        return all.first { $0.tag == subtags.first ?? "" }
    }

    /// 0 to 1000; 1000 where nothing is said, nil for what is no weight.
    private static func weight(_ parameters: ArraySlice<Substring>) -> Int? {
        guard let text = parameters.first(where: { $0.lowercased().hasPrefix("q=") })?.dropFirst(2) else { return 1_000 }
        guard let value = Double(text), (0...1).contains(value) else { return nil }
        return Int(value * 1_000)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}

/// The sentences of the pages and mails, some files for each language. A test keeps them complete.
enum Translations {}
