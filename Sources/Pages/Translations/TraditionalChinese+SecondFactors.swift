extension Translations { static let traditionalChineseSecondFactors: [String: String] = [:] }
