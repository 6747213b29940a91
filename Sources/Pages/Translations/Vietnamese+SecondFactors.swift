extension Translations { static let vietnameseSecondFactors: [String: String] = [:] }
