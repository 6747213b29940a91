extension Translations { static let germanSecondFactors: [String: String] = [:] }
