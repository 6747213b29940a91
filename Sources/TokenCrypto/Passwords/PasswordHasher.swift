/// Hashes passwords with the best function that OpenSSL has. Every function that hashes blocks for tens to hundreds of milliseconds: call them
/// in `PasswordPool`.
package struct PasswordHasher: Sendable {
    /// The cost of new hashes. The salt and the hash have the lengths that RFC 9106 section 4 recommends.
    private let function: HashedPassword.Function
    private static let saltLength = 16
    private static let outputLength = 32

    /// A hash of no password, which takes the time of a real one.
    private let decoy: HashedPassword

    /// Argon2id with 19 MiB, 2 iterations and 1 lane; where OpenSSL lacks it, scrypt with N=2^17, r=8, p=1.
    package init() throws(PasswordHashingError) {
        if PasswordFunctions.hasArgon2id {
            try self.init(.argon2id(memory: 19 << 10, iterations: 2, lanes: 1))
        } else if PasswordFunctions.hasScrypt {
            try self.init(.scrypt(ScryptCost(logN: 17, r: 8, p: 1)))
        } else {
            throw .missingFunction("scrypt")
        }
    }

    init(_ function: HashedPassword.Function) throws(PasswordHashingError) {
        let salt = SecureRandom.bytes(Self.saltLength)
        guard let decoy = HashedPassword(function, salt: salt, output: SecureRandom.bytes(Self.outputLength)) else { throw .failed }
        self.function = function
        self.decoy = decoy
    }

    /// Hashes with the cheapest parameters, for tests of other modules.
    package static func forTests() throws(PasswordHashingError) -> PasswordHasher {
        try PasswordHasher(.scrypt(ScryptCost(logN: 4, r: 8, p: 1)))
    }

    /// The bytes that one hash allocates. The hash of an import or of earlier parameters can take up to `HashedPassword.maximumMemory`.
    package var memoryPerHash: Int { function.memory }

    /// The function and its parameters, for the log.
    package var summary: String {
        switch function {
        case .argon2id(let memory, let iterations, let lanes): "Argon2id (m=\(memory) KiB, t=\(iterations), p=\(lanes))"
        case .scrypt(let cost), .firebase(let cost, _): "scrypt (N=2^\(cost.logN), r=\(cost.r), p=\(cost.p))"
        }
    }

    /// Hashes with a random salt.
    package func hash(_ password: Password) throws(PasswordHashingError) -> HashedPassword {
        let salt = SecureRandom.bytes(Self.saltLength)
        let output = try function.apply(password.bytes, salt: salt, length: Self.outputLength)
        guard let hash = HashedPassword(function, salt: salt, output: output) else { throw .failed }
        return hash
    }

    /// Returns whether a password is the hashed one. Takes the same time for every password of the same length.
    package func verify(_ password: Password, against hash: HashedPassword) throws(PasswordHashingError) -> Bool {
        try hash.matches(password)
    }

    /// The function of new hashes.
    package var kind: PasswordFunction { PasswordFunction(function) }

    /// One step of a sign-in with a password.
    package enum Step: Sendable, Hashable {
        /// Compares the password with the hash that there is.
        case compare(PasswordFunction)
        /// Hashes the right password anew.
        case renew(PasswordFunction)
        /// Does the work of a comparison for nothing.
        case imitate(PasswordFunction)

        package var function: PasswordFunction {
            switch self {
            case .compare(let function), .renew(let function), .imitate(let function): function
            }
        }
    }

    /// The steps of a sign-in: for every hash, and for none, each function of `known` and today's once, so that time shows neither whether
    /// an account exists nor where its password comes from. `isRight`: nil before the comparison.
    package func steps(
        for hash: HashedPassword?, isRight: Bool, among known: Set<PasswordFunction>
    ) -> [Step] {
        var steps: [Step] = []
        if let hash {
            steps.append(.compare(hash.kind))
            if isRight, needsRehash(hash) { steps.append(.renew(kind)) }
        }
        let rest = known.union([kind]).subtracting(steps.map(\.function))
        return steps + rest.map { .imitate($0) }
    }

    /// Does the work of a comparison, for an account that does not exist, has no password, or a hash of another function.
    package func imitate(_ kind: PasswordFunction, _ password: Password) throws(PasswordHashingError) {
        switch kind.function {
        case .firebase(let cost, _):
            _ = try PasswordFunctions.firebase(password.bytes, salt: decoy.salt, cost: cost, applyingTo: decoy.output)
        case let function: _ = try function.apply(password.bytes, salt: decoy.salt, length: Self.outputLength)
        }
    }

    /// Returns whether a password should be hashed anew when it is known, at the next sign-in: an import, a weaker function, or less cost.
    package func needsRehash(_ hash: HashedPassword) -> Bool {
        if hash.salt.count < Self.saltLength || hash.output.count < Self.outputLength { return true }
        switch (hash.function, function) {
        case (.argon2id(let memory, let iterations, _), .argon2id(let wantedMemory, let wantedIterations, _)):
            return memory < wantedMemory || iterations < wantedIterations
        case (.scrypt(let cost), .scrypt(let wanted)): return cost.logN < wanted.logN || cost.r < wanted.r || cost.p < wanted.p
        case (.argon2id, .scrypt): return false
        default: return true
        }
    }
}

extension HashedPassword {
    fileprivate func matches(_ password: Password) throws(PasswordHashingError) -> Bool {
        if case .firebase(let cost, let signerKeyDigest) = function {
            let signerKey = try PasswordFunctions.firebase(password.bytes, salt: salt, cost: cost, applyingTo: output)
            return constantTimeEqual(SHA2.sha256(signerKey), signerKeyDigest)
        }
        return constantTimeEqual(try function.apply(password.bytes, salt: salt, length: output.count), output)
    }
}

extension HashedPassword.Function {
    fileprivate func apply(_ password: [UInt8], salt: [UInt8], length: Int) throws(PasswordHashingError) -> [UInt8] {
        switch self {
        case .argon2id(let memory, let iterations, let lanes):
            try PasswordFunctions.argon2id(
                password, salt: salt, memory: memory, iterations: iterations, lanes: lanes, length: length)
        case .scrypt(let cost), .firebase(let cost, _):
            try PasswordFunctions.scrypt(password, salt: salt, cost: cost, length: length)
        }
    }
}
