/// A class of characters in a pattern.
struct ScalarSet: Sendable {
    enum Item: Sendable {
        case range(ClosedRange<UInt32>)
        case categories(Set<Unicode.GeneralCategory>, isNegated: Bool)
        indirect case set(ScalarSet)
    }

    private var items: [Item]
    private let isNegated: Bool
    private let folds: Bool
    /// The answers for ASCII, computed once.
    private var ascii: UInt128 = 0

    init(_ items: [Item], isNegated: Bool = false, folds: Bool = false) {
        self.items = items
        self.isNegated = isNegated
        self.folds = folds
        for value in UInt8(0)..<128 where computes(Unicode.Scalar(value)) { ascii |= 1 << UInt128(value) }
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 128 ? ascii >> UInt128(scalar.value) & 1 == 1 : computes(scalar)
    }

    private func computes(_ scalar: Unicode.Scalar) -> Bool {
        var isMember = isItem(scalar)
        if folds, !isMember {
            let folded = scalar.folded
            isMember = isItem(folded) || isItem(folded.uppercased) || Self.otherCases[folded]?.contains(where: isItem) ?? false
        }
        return isMember != isNegated
    }

    /// Letters with more than two cases.
    private static let otherCases: [Unicode.Scalar: [Unicode.Scalar]] = [
        "k": ["\u{212A}"], "s": ["\u{17F}"], "å": ["\u{212B}"], "σ": ["ς"], "μ": ["µ"], "ω": ["\u{2126}"],
    ]

    private func isItem(_ scalar: Unicode.Scalar) -> Bool {
        items.contains { item in
            switch item {
            case .range(let range): range.contains(scalar.value)
            case .categories(let categories, let isNegated): categories.contains(scalar.properties.generalCategory) != isNegated
            case .set(let set): set.contains(scalar)
            }
        }
    }

    // MARK: Named classes

    static func range(_ first: Unicode.Scalar, _ last: Unicode.Scalar) -> Item { .range(first.value...last.value) }

    static func perl(_ letter: Unicode.Scalar) -> ScalarSet? {
        let items: [Item]
        switch letter {
        case "d", "D": items = [range("0", "9")]
        case "s", "S": items = [range("\t", "\n"), range("\u{C}", "\r"), range(" ", " ")]
        case "w", "W": items = word
        default: return nil
        }
        return ScalarSet(items, isNegated: letter.value < 0x60)
    }

    private static let word = [range("0", "9"), range("A", "Z"), range("a", "z"), range("_", "_")]

    /// The classes of `[[:name:]]`.
    static func posix(_ name: String) -> [Item]? {
        switch name {
        case "alnum": [range("0", "9"), range("A", "Z"), range("a", "z")]
        case "alpha": [range("A", "Z"), range("a", "z")]
        case "ascii": [.range(0...0x7F)]
        case "blank": [range("\t", "\t"), range(" ", " ")]
        case "cntrl": [.range(0...0x1F), .range(0x7F...0x7F)]
        case "digit": [range("0", "9")]
        case "graph": [range("!", "~")]
        case "lower": [range("a", "z")]
        case "print": [range(" ", "~")]
        case "punct": [range("!", "/"), range(":", "@"), range("[", "`"), range("{", "~")]
        case "space": [range("\t", "\r"), range(" ", " ")]
        case "upper": [range("A", "Z")]
        case "word": word
        case "xdigit": [range("0", "9"), range("A", "F"), range("a", "f")]
        default: nil
        }
    }

    /// The classes of `\p{name}`: general categories, and `Any`.
    static func unicode(_ name: String) -> Item? {
        if name == "Any" { return .range(0...0x10FFFF) }
        if let ranges = UnicodeScripts.ranges(of: name) { return .set(ScalarSet(ranges.map(Item.range))) }
        let categories = generalCategories.filter { $0.key.hasPrefix(name) }.values
        return (1...2).contains(name.utf8.count) && !categories.isEmpty ? .categories(Set(categories), isNegated: false) : nil
    }

    private static let generalCategories: [String: Unicode.GeneralCategory] = [
        "Lu": .uppercaseLetter, "Ll": .lowercaseLetter, "Lt": .titlecaseLetter, "Lm": .modifierLetter, "Lo": .otherLetter,
        "Mn": .nonspacingMark, "Mc": .spacingMark, "Me": .enclosingMark,
        "Nd": .decimalNumber, "Nl": .letterNumber, "No": .otherNumber,
        "Pc": .connectorPunctuation, "Pd": .dashPunctuation, "Ps": .openPunctuation, "Pe": .closePunctuation,
        "Pi": .initialPunctuation, "Pf": .finalPunctuation, "Po": .otherPunctuation,
        "Sm": .mathSymbol, "Sc": .currencySymbol, "Sk": .modifierSymbol, "So": .otherSymbol,
        "Zs": .spaceSeparator, "Zl": .lineSeparator, "Zp": .paragraphSeparator,
        "Cc": .control, "Cf": .format, "Cs": .surrogate, "Co": .privateUse,
    ]
}

extension Unicode.Scalar {
    fileprivate var uppercased: Unicode.Scalar {
        let text = properties.uppercaseMapping.unicodeScalars
        return text.count == 1 ? text.first ?? self : self
    }
}
