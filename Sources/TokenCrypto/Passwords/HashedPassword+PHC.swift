import Primitives

extension HashedPassword {
    private static let longestText = 512

    /// The PHC string, for the account store.
    package var phc: String {
        let tail = "$\(Self.encode(salt))$\(Self.encode(output))"
        return switch function {
        case .argon2id(let memory, let iterations, let lanes): "$argon2id$v=19$m=\(memory),t=\(iterations),p=\(lanes)\(tail)"
        case .scrypt(let cost): "$scrypt$\(cost.text)\(tail)"
        case .firebase(let cost, let digest): "$firebase-scrypt$\(cost.text)\(tail)$\(Self.encode(digest))"
        }
    }

    /// Parses a PHC string that `phc` could have written.
    package init(parsing text: String) throws(Malformed) {
        guard text.utf8.count <= Self.longestText, let hash = Self.parsed(text), Array(hash.phc.utf8) == Array(text.utf8) else {
            // The comparison refuses whatever the parts below leave open: leading zeros, padding, another alphabet.
            throw Malformed()
        }
        self = hash
    }

    private static func parsed(_ text: String) -> HashedPassword? {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count >= 5, parts[0].isEmpty else { return nil }
        switch (parts[1], parts.count) {
        case ("argon2id", 6):
            guard parts[2] == "v=19", let cost = numbers(parts[3], ["m", "t", "p"]) else { return nil }
            return hash(.argon2id(memory: cost[0], iterations: cost[1], lanes: cost[2]), parts[4], parts[5])
        case ("scrypt", 5):
            return ScryptCost(parts[2]).flatMap { hash(.scrypt($0), parts[3], parts[4]) }
        case ("firebase-scrypt", 6):
            guard let cost = ScryptCost(parts[2]), let digest = Base64.decodeAny(String(parts[5])) else { return nil }
            return hash(.firebase(cost, signerKeyDigest: digest), parts[3], parts[4])
        default: return nil
        }
    }

    private static func hash(_ function: Function, _ salt: Substring, _ output: Substring) -> HashedPassword? {
        guard let salt = Base64.decodeAny(String(salt)), let output = Base64.decodeAny(String(output)) else { return nil }
        return HashedPassword(function, salt: salt, output: output)
    }

    /// The values of `a=1,b=2`, each of at most seven digits.
    fileprivate static func numbers(_ text: Substring, _ names: [String]) -> [Int]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == names.count else { return nil }
        var values: [Int] = []
        for (part, name) in zip(parts, names) {
            guard part.hasPrefix("\(name)="), part.utf8.count <= name.utf8.count + 8, let value = Int(part.dropFirst(name.count + 1)) else {
                return nil
            }
            values.append(value)
        }
        return values
    }

    /// Base64 without padding, as PHC strings have it.
    private static func encode(_ bytes: [UInt8]) -> String {
        let padded = Base64.encode(bytes)
        return String(padded.prefix { $0 != "=" })
    }
}

extension ScryptCost {
    fileprivate init?(_ text: Substring) {
        guard let values = HashedPassword.numbers(text, ["ln", "r", "p"]) else { return nil }
        self.init(logN: values[0], r: values[1], p: values[2])
    }

    fileprivate var text: String { "ln=\(logN),r=\(r),p=\(p)" }
}
