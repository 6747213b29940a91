import TokenCrypto

/// The cost in the text of a password hash, and in the options of an import.
enum PasswordNumbers {
    private static let tail = "$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

    static func check(_ number: String) throws(Broken) {
        let texts = [
            "$argon2id$v=19$m=\(number),t=2,p=1", "$argon2id$v=19$m=19456,t=\(number),p=1", "$argon2id$v=19$m=19456,t=2,p=\(number)",
            "$argon2id$v=\(number)$m=19456,t=2,p=1", "$argon2id$v=19$m=\(number),t=\(number),p=\(number)",
            "$scrypt$ln=\(number),r=8,p=1", "$scrypt$ln=1,r=\(number),p=1", "$scrypt$ln=1,r=1,p=\(number)",
            "$scrypt$ln=\(number),r=\(number),p=\(number)", "$firebase-scrypt$ln=\(number),r=\(number),p=1",
        ]
        for text in texts {
            let suffix = text.hasPrefix("$firebase") ? "$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" : ""
            guard let hash = try? HashedPassword(parsing: text + tail + suffix) else { continue }
            try hold((1...HashedPassword.maximumMemory).contains(hash.memory), "a hash asks for too much memory")
            try hold(hash.phc == text + tail + suffix, "a hash is written in another way than it was read")
        }
        guard let value = Int(number) else { return }
        let key = String(repeating: "A", count: 86)
        for (rounds, memory) in [(value, 14), (8, value), (value, value)] {
            guard let project = try? FirebaseScrypt(hashKey: key, saltSeparator: "Bw", rounds: rounds, memoryCost: memory),
                let hash = project.hash(passwordHash: key, salt: "AAAAAAAAAAA")
            else { continue }
            try hold((1...HashedPassword.maximumMemory).contains(hash.memory), "an import asks for too much memory")
        }
    }
}
