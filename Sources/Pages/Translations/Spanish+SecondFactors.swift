extension Translations { static let spanishSecondFactors: [String: String] = [:] }
