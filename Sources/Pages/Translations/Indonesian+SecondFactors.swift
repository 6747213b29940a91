extension Translations { static let indonesianSecondFactors: [String: String] = [:] }
