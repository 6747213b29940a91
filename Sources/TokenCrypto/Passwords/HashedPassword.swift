/// A hashed password with everything that it takes to verify one: as text, a PHC string.
///
/// - `$argon2id$v=19$m=19456,t=2,p=1$SALT$HASH` (RFC 9106)
/// - `$scrypt$ln=17,r=8,p=1$SALT$HASH` (RFC 7914)
/// - `$firebase-scrypt$ln=14,r=8,p=1$SALT$HASH$KEY`: of an import. SALT includes the project's separator; KEY is the SHA-256 of the project's
///   signer key, which itself is not kept.
package struct HashedPassword: Sendable, Hashable, Redacted {
    /// The function and its cost. Every value is within `isAcceptable`.
    enum Function: Sendable, Hashable {
        /// `memory` in KiB.
        case argon2id(memory: Int, iterations: Int, lanes: Int)
        case scrypt(ScryptCost)
        case firebase(ScryptCost, signerKeyDigest: [UInt8])
    }

    /// The text is no hash that this program writes or imports, or its cost is beyond the limits.
    package struct Malformed: Error, Sendable, Hashable {}

    let function: Function
    let salt: [UInt8]
    let output: [UInt8]

    /// Nil for a cost or a length that is out of bounds.
    init?(_ function: Function, salt: [UInt8], output: [UInt8]) {
        guard function.isAcceptable, (8...64).contains(salt.count), (16...128).contains(output.count) else { return nil }
        self.function = function
        self.salt = salt
        self.output = output
    }
}

/// What it takes to compare a password with a hash: the function and its cost, whatever the salt.
package struct PasswordFunction: Sendable, Hashable {
    let function: HashedPassword.Function

    /// The signer key of an import makes no difference to the work.
    init(_ function: HashedPassword.Function) {
        self.function = if case .firebase(let cost, _) = function { .firebase(cost, signerKeyDigest: []) } else { function }
    }

    /// The beginning of a PHC string, such as `scrypt$ln=17,r=8,p=1`. Nil for a function that no hash has.
    package init?(parsing text: String) {
        let isImport = text.hasPrefix("firebase-scrypt$")
        let salt = String(repeating: "A", count: 22)
        let output = String(repeating: "A", count: 43)
        guard let hash = try? HashedPassword(parsing: "$\(text)$\(salt)$\(output)" + (isImport ? "$\(output)" : "")) else { return nil }
        self = hash.kind
    }
}

/// The cost of scrypt: N is 2 to the power of `logN`.
struct ScryptCost: Sendable, Hashable {
    var logN: Int
    var r: Int
    var p: Int

    /// Bounds both the memory and the time: at most 256 MiB, and eight times the work of our own parameters.
    var isAcceptable: Bool {
        guard (1...20).contains(logN), (1...32).contains(r), (1...16).contains(p) else { return false }
        return memory <= HashedPassword.maximumMemory && r * p << logN <= 8 << 20
    }

    var memory: Int { 128 * r * (1 << logN + p) }
}

extension HashedPassword {
    /// The bytes that one computation may allocate, whatever a string asks for.
    package static let maximumMemory = 257 << 20

    /// The bytes that verifying a password allocates: at most `maximumMemory`.
    package var memory: Int { function.memory }

    package var kind: PasswordFunction { PasswordFunction(function) }
}

extension HashedPassword.Function {
    var isAcceptable: Bool {
        switch self {
        case .argon2id(let memory, let iterations, let lanes):
            (1...16).contains(lanes) && (8 * lanes...256 << 10).contains(memory) && (1...64).contains(iterations)
                && memory * iterations <= 1 << 20
        case .scrypt(let cost): cost.isAcceptable
        case .firebase(let cost, let digest): cost.isAcceptable && digest.count == 32
        }
    }

    /// The bytes that a computation allocates.
    var memory: Int {
        switch self {
        case .argon2id(let memory, _, _): memory << 10
        case .scrypt(let cost), .firebase(let cost, _): cost.memory
        }
    }
}
