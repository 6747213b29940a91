import Primitives

/// The password hash parameters of a Firebase project: `--hash-key`, `--salt-separator`, `--rounds`, `--mem-cost`.
package struct FirebaseScrypt: Sendable, Redacted {
    /// The parameter that cannot be used, by the name of its option, and the reason.
    package struct Problem: Error, Sendable, Hashable {
        package let option: String
        package let reason: String
    }

    private let cost: ScryptCost
    private let saltSeparator: [UInt8]
    private let signerKeyDigest: [UInt8]
    private let signerKeyLength: Int

    /// `hashKey` and `saltSeparator` in Base64, as Firebase's console shows them.
    package init(hashKey: String, saltSeparator: String, rounds: Int, memoryCost: Int) throws(Problem) {
        guard let signerKey = Base64.decodeAny(hashKey), (16...128).contains(signerKey.count) else {
            throw Problem(option: "--hash-key", reason: "it is not Base64 of 16 to 128 bytes")
        }
        guard let separator = Base64.decodeAny(saltSeparator), separator.count <= 16 else {
            throw Problem(option: "--salt-separator", reason: "it is not Base64 of at most 16 bytes")
        }
        guard (1...32).contains(rounds) else { throw Problem(option: "--rounds", reason: "it is not a number from 1 to 32") }
        cost = ScryptCost(logN: memoryCost, r: rounds, p: 1)
        guard cost.isAcceptable else {
            throw Problem(option: "--mem-cost", reason: "it is not a number from 1 to 20, or takes more than 256 MiB with these --rounds")
        }
        self.saltSeparator = separator
        signerKeyDigest = SHA2.sha256(signerKey)
        signerKeyLength = signerKey.count
    }

    /// The password of an exported account: its `passwordHash` and `salt`, in Base64. Nil if they do not fit the parameters.
    package func hash(passwordHash: String, salt: String) -> HashedPassword? {
        guard let output = Base64.decodeAny(passwordHash), output.count == signerKeyLength, let salt = Base64.decodeAny(salt) else {
            return nil
        }
        return HashedPassword(.firebase(cost, signerKeyDigest: signerKeyDigest), salt: salt + saltSeparator, output: output)
    }
}
