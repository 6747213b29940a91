extension Translations { static let japaneseSecondFactors: [String: String] = [:] }
