extension Translations { static let frenchSecondFactors: [String: String] = [:] }
