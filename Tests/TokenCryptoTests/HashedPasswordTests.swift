import Testing

@testable import TokenCrypto

@Suite("Password hashes")
struct HashedPasswordTests {
    /// Argon2id came with OpenSSL 3.2. Tests/skips.txt lists the tests that need it.
    static var hasArgon2id: Bool { PasswordFunctions.hasArgon2id }

    private static let scryptVectors: [(String, String, ScryptCost, String)] = [
        (
            "", "", ScryptCost(logN: 4, r: 1, p: 1),
            "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
        ),
        (
            "password", "NaCl", ScryptCost(logN: 10, r: 8, p: 16),
            "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
        ),
        (
            "pleaseletmein", "SodiumChloride", ScryptCost(logN: 14, r: 8, p: 1),
            "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
        ),
    ]

    @Test("RFC 7914 section 12: scrypt", arguments: scryptVectors)
    func scrypt(password: String, salt: String, cost: ScryptCost, expected: String) throws {
        #expect(try PasswordFunctions.scrypt(utf8(password), salt: utf8(salt), cost: cost, length: 64) == bytes(expected))
    }

    @Test("RFC 9106 section 5.3: Argon2id", .enabled(if: hasArgon2id, "OpenSSL is older than 3.2"))
    func argon2id() throws {
        let tag = try PasswordFunctions.argon2id(
            [UInt8](repeating: 1, count: 32), salt: [UInt8](repeating: 2, count: 16), secret: [UInt8](repeating: 3, count: 8),
            associatedData: [UInt8](repeating: 4, count: 12), memory: 32, iterations: 3, lanes: 4, length: 32)
        #expect(tag == bytes("0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659"))
    }

    /// Written by argon2-cffi 25.1.0 over the reference implementation.
    private static let referenceText =
        "$argon2id$v=19$m=19456,t=2,p=1$AAECAwQFBgcICQoLDA0ODw$gYJZtjEAJqjg26xdLmknq8/bB7MiWPrE9hsYuA+SkIU"

    @Test("a hash of the reference implementation of Argon2id verifies", .enabled(if: hasArgon2id, "OpenSSL is older than 3.2"))
    func argon2idReference() throws {
        let hash = try HashedPassword(parsing: Self.referenceText)
        let hasher = try PasswordHasher()
        #expect(try hasher.verify(Password("correct horse battery staple"), against: hash))
        #expect(try !hasher.verify(Password("correct horse battery stable"), against: hash))
        #expect(!hasher.needsRehash(hash))
    }

    @Test("without Argon2id in OpenSSL its hashes are an error, not a wrong password", .disabled(if: hasArgon2id, "OpenSSL has Argon2id"))
    func withoutArgon2id() throws {
        let hash = try HashedPassword(parsing: Self.referenceText)
        #expect(throws: PasswordHashingError.missingFunction("Argon2id")) {
            try PasswordHasher().verify(Password("correct horse battery staple"), against: hash)
        }
    }

    @Test("new hashes have the parameters of the contract, a salt of their own, and verify")
    func newHashes() throws {
        let hasher = try PasswordHasher()
        let password = try Password("Blaubeerkuchen")
        let hash = try hasher.hash(password)
        #expect(hash.phc.hasPrefix(Self.hasArgon2id ? "$argon2id$v=19$m=19456,t=2,p=1$" : "$scrypt$ln=17,r=8,p=1$"))
        #expect(hasher.memoryPerHash == (Self.hasArgon2id ? 19 << 20 : (128 << 20) + 1024))
        #expect(try hasher.hash(password).salt != hash.salt)
        #expect(try HashedPassword(parsing: hash.phc) == hash)
        #expect(try hasher.verify(password, against: hash))
        #expect(try !hasher.verify(Password("blaubeerkuchen"), against: hash))
        #expect(!hasher.needsRehash(hash))
    }

    // https://github.com/firebase/scrypt, README.md
    private let project = try? FirebaseScrypt(
        hashKey: "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==", saltSeparator: "Bw==",
        rounds: 8,
        memoryCost: 14)
    private let exported = "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="

    @Test("Firebase's published example: an exported password verifies, also from its text, and is hashed anew")
    func firebase() throws {
        let hash = try #require(project?.hash(passwordHash: exported, salt: "42xEC+ixf3L2lw=="))
        let kept = try HashedPassword(parsing: hash.phc)
        #expect(kept == hash && hash.phc.hasPrefix("$firebase-scrypt$ln=14,r=8,p=1$42xEC+ixf3L2lwc$lSrfV15c"))
        let hasher = try PasswordHasher()
        #expect(try hasher.verify(Password("user1password"), against: kept))
        #expect(try !hasher.verify(Password("user1passwore"), against: kept))
        #expect(hasher.needsRehash(kept))
        #expect(!hash.phc.contains("jxspr8Ki0RYycVU8"), "the signer key is not kept")
    }

    @Test("Firebase's computation has the published result")
    func firebaseEncryption() throws {
        let signerKey = bytes(
            "8f1b29afc2a2d1163271553ccf291b74b1a3150dcc705507d2e8a24ef0bca55317027db5d308cb366759273c5410229b9b442c126614483cd9be98de27d5a65c"
        )
        let salt = bytes("e36c440be8b17f72f697") + [7]
        let hash = try PasswordFunctions.firebase(
            utf8("user1password"), salt: salt, cost: ScryptCost(logN: 14, r: 8, p: 1), applyingTo: signerKey)
        #expect(hash.prefix(6) == bytes("952adf575e5c")[...])
    }

    @Test(
        "Firebase's parameters have bounds",
        arguments: [
            ("", "Bw==", 8, 14, "--hash-key"), ("AAAA", "Bw==", 8, 14, "--hash-key"), ("%%%%", "Bw==", 8, 14, "--hash-key"),
            (String(repeating: "A", count: 256), "Bw==", 8, 14, "--hash-key"),
            (String(repeating: "A", count: 64), "Bw=", 8, 14, "--salt-separator"),
            (String(repeating: "A", count: 64), String(repeating: "A", count: 64), 8, 14, "--salt-separator"),
            (String(repeating: "A", count: 64), "Bw==", 0, 14, "--rounds"),
            (String(repeating: "A", count: 64), "Bw==", .max, 14, "--rounds"),
            (String(repeating: "A", count: 64), "Bw==", 8, .max, "--mem-cost"),
            (String(repeating: "A", count: 64), "Bw==", 8, -1, "--mem-cost"),
            (String(repeating: "A", count: 64), "Bw==", 32, 20, "--mem-cost"),
        ])
    func firebaseParameters(key: String, separator: String, rounds: Int, memory: Int, option: String) {
        #expect {
            try FirebaseScrypt(hashKey: key, saltSeparator: separator, rounds: rounds, memoryCost: memory)
        } throws: { ($0 as? FirebaseScrypt.Problem)?.option == option }
    }

    @Test(
        "exported values that do not fit the project are refused",
        arguments: [("", "42xEC+ixf3L2lw=="), ("AAAA", "42xEC+ixf3L2lw=="), ("?", "?")])
    func firebaseMismatch(hash: String, salt: String) throws {
        let project = try #require(project)
        #expect(project.hash(passwordHash: hash, salt: salt) == nil)
        #expect(project.hash(passwordHash: exported, salt: "") == nil)
        #expect(project.hash(passwordHash: exported, salt: String(repeating: "A", count: 400)) == nil)
    }

    private static let salt = "AAAAAAAAAAAAAAAAAAAAAA"
    private static let output = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

    @Test(
        "texts that ask for gigabytes, hours or nothing at all are malformed",
        arguments: [
            "", "$", "$$$$", "$scrypt", "scrypt$ln=17,r=8,p=1$\(salt)$\(output)", "$scrypt$ln=17,r=8,p=1$\(salt)$\(output)$",
            "$scrypt$ln=21,r=8,p=1$\(salt)$\(output)", "$scrypt$ln=63,r=8,p=1$\(salt)$\(output)", "$scrypt$ln=64,r=8,p=1$\(salt)$\(output)",
            "$scrypt$ln=20,r=32,p=16$\(salt)$\(output)", "$scrypt$ln=17,r=8,p=16$\(salt)$\(output)",
            "$scrypt$ln=19,r=8,p=1$\(salt)$\(output)",
            "$scrypt$ln=1,r=8,p=1000000$\(salt)$\(output)",
            "$scrypt$ln=17,r=9223372036854775807,p=1$\(salt)$\(output)", "$scrypt$ln=99999999999999999999,r=8,p=1$\(salt)$\(output)",
            "$scrypt$ln=-1,r=8,p=1$\(salt)$\(output)", "$scrypt$ln=0,r=8,p=1$\(salt)$\(output)", "$scrypt$ln=17,r=0,p=1$\(salt)$\(output)",
            "$scrypt$ln=+17,r=8,p=1$\(salt)$\(output)", "$scrypt$ln=017,r=8,p=1$\(salt)$\(output)",
            "$scrypt$r=8,ln=17,p=1$\(salt)$\(output)",
            "$scrypt$ln=17,r=8,p=1,x=1$\(salt)$\(output)", "$scrypt$ln=17,r=8$\(salt)$\(output)", "$scrypt$ln=１７,r=8,p=1$\(salt)$\(output)",
            "$scrypt$ln=17,r=8,p=1$AAAA$\(output)", "$scrypt$ln=17,r=8,p=1$$", "$scrypt$ln=17,r=8,p=1$\(salt)==$\(output)",
            "$scrypt$ln=17,r=8,p=1$\(salt)$\(output)=", "$scrypt$ln=17,r=8,p=1$\(salt)$AAAA",
            "$scrypt$ln=17,r=8,p=1$____________________AA$\(output)",
            "$scrypt$ln=17,r=8,p=1$\(salt)$\(output)\n", "$scrypt$ln=17,r=8,p=1$\(String(repeating: "A", count: 600))$\(output)",
            "$argon2id$v=19$m=1048576,t=1,p=1$\(salt)$\(output)", "$argon2id$v=19$m=19456,t=2,p=0$\(salt)$\(output)",
            "$argon2id$v=19$m=262144,t=64,p=1$\(salt)$\(output)", "$argon2id$v=19$m=8,t=2,p=16$\(salt)$\(output)",
            "$argon2id$v=16$m=19456,t=2,p=1$\(salt)$\(output)", "$argon2id$m=19456,t=2,p=1$\(salt)$\(output)",
            "$argon2i$v=19$m=19456,t=2,p=1$\(salt)$\(output)", "$argon2id$v=19$m=4294967297,t=2,p=1$\(salt)$\(output)",
            "$2b$12$abcdefghijklmnopqrstuuu", "$firebase-scrypt$ln=14,r=8,p=1$\(salt)$\(output)",
            "$firebase-scrypt$ln=14,r=8,p=1$\(salt)$\(output)$AAAA",
            "$firebase-scrypt$ln=60,r=8,p=1$\(salt)$\(output)$\(output)",
        ])
    func malformed(text: String) { #expect(throws: HashedPassword.Malformed.self) { try HashedPassword(parsing: text) } }

    @Test("a text with one character changed at random is malformed or another hash, and costs no more than the limits")
    func mutations() throws {
        let text = Array("$argon2id$v=19$m=19456,t=2,p=1$\(Self.salt)$\(Self.output)".utf8)
        let bytes = Array("$,=0189mtpvAz+/ \u{0}".utf8)
        for index in text.indices {
            for byte in bytes {
                var changed = text
                changed[index] = byte
                guard let hash = try? HashedPassword(parsing: String(decoding: changed, as: UTF8.self)) else { continue }
                #expect(hash.function.memory <= HashedPassword.maximumMemory && hash.function.isAcceptable)
            }
        }
    }

    @Test("hashes of less cost are made anew, those of more are kept")
    func rehash() throws {
        func hash(_ parameters: String) throws -> HashedPassword {
            try HashedPassword(parsing: "\(parameters)$\(Self.salt)$\(Self.output)")
        }
        let scrypt = try PasswordHasher(.scrypt(ScryptCost(logN: 17, r: 8, p: 1)))
        #expect(try !scrypt.needsRehash(hash("$scrypt$ln=17,r=8,p=1")) && !scrypt.needsRehash(hash("$scrypt$ln=18,r=8,p=1")))
        #expect(try scrypt.needsRehash(hash("$scrypt$ln=16,r=8,p=1")) && scrypt.needsRehash(hash("$scrypt$ln=17,r=4,p=1")))
        #expect(try !scrypt.needsRehash(hash("$argon2id$v=19$m=19456,t=2,p=1")))
        #expect(try scrypt.needsRehash(HashedPassword(parsing: "$scrypt$ln=17,r=8,p=1$AAAAAAAAAAA$\(Self.output)")))
        let argon2id = try PasswordHasher(.argon2id(memory: 19 << 10, iterations: 2, lanes: 1))
        #expect(
            try !argon2id.needsRehash(hash("$argon2id$v=19$m=19456,t=2,p=1"))
                && !argon2id.needsRehash(hash("$argon2id$v=19$m=19456,t=3,p=1")))
        #expect(
            try argon2id.needsRehash(hash("$argon2id$v=19$m=19456,t=1,p=1")) && argon2id.needsRehash(hash("$argon2id$v=19$m=9216,t=4,p=1")))
        #expect(try argon2id.needsRehash(hash("$scrypt$ln=18,r=8,p=1")))
    }

    @Test("passwords are compared in normalisation form C, and have limits in bytes")
    func passwords() throws {
        #expect(try Password("cafe\u{301}").text.unicodeScalars.elementsEqual("caf\u{E9}".unicodeScalars))
        let hasher = try PasswordHasher.forTests()
        #expect(try hasher.verify(Password("cafe\u{301}"), against: hasher.hash(Password("caf\u{E9}"))))
        #expect(try Password(String(repeating: "x", count: 1024)).scalarCount == 1024)
        #expect(throws: Password.Problem.tooLong) { try Password(String(repeating: "x", count: 1025)) }
        #expect(throws: Password.Problem.tooLong) { try Password(String(repeating: "é", count: 513)) }
        #expect(try Password(String(repeating: "e\u{301}", count: 512)).scalarCount == 512)
        #expect(throws: Password.Problem.tooLong) { try Password(String(repeating: "\u{1D160}", count: 1024)) }
        for text in ["\u{0}", "abc\u{7F}", "a\nb", "a\u{85}b"] { #expect(throws: Password.Problem.controlCharacter) { try Password(text) } }
        #expect(try "\(Password("geheim")) \(hasher.hash(Password("geheim")))" == "<redacted> <redacted>")
    }

    @Test("a verification without a hash takes the hash's function")
    func nothing() throws {
        let hasher = try PasswordHasher.forTests()
        try hasher.imitate(hasher.kind, Password("geheim"))
    }

    @Test("a sign-in does the same work for an import, an own hash, an earlier cost and an unknown address, right or wrong")
    func equalWork() throws {
        let hasher = try PasswordHasher.forTests()
        let tail = "$\(String(repeating: "A", count: 22))$\(String(repeating: "A", count: 43))"
        let imported = try HashedPassword(parsing: "$firebase-scrypt$ln=14,r=8,p=1\(tail)$\(String(repeating: "A", count: 43))")
        let weak = try HashedPassword(parsing: "$scrypt$ln=3,r=8,p=1\(tail)")
        let own = try hasher.hash(Password("geheim"))
        let known: Set = [imported.kind, weak.kind]
        let everything = known.union([hasher.kind])
        for hash in [nil, imported, weak, own] {
            for isRight in hash == nil ? [false] : [false, true] {
                let work = hasher.steps(for: hash, isRight: isRight, among: known).map(\.function)
                #expect(work.count == everything.count && Set(work) == everything, "\(hash?.kind as Any) \(isRight)")
            }
        }
        #expect(hasher.steps(for: nil, isRight: false, among: []) == [.imitate(hasher.kind)], "a store without imports costs one hash")
        #expect(hasher.steps(for: own, isRight: true, among: []) == [.compare(hasher.kind)])
        #expect(hasher.steps(for: imported, isRight: true, among: []) == [.compare(imported.kind), .renew(hasher.kind)])
        for kind in everything { try hasher.imitate(kind, Password("geheim")) }
    }

    @Test("a function is read from the beginning of a PHC string")
    func functions() throws {
        for text in ["argon2id$v=19$m=19456,t=2,p=1", "scrypt$ln=17,r=8,p=1", "firebase-scrypt$ln=14,r=8,p=1"] {
            let salt = "$\(String(repeating: "B", count: 21))A$\(String(repeating: "B", count: 42))A"
            let key = text.hasPrefix("firebase") ? "$\(String(repeating: "B", count: 42))A" : ""
            #expect(try PasswordFunction(parsing: text) == HashedPassword(parsing: "$\(text)\(salt)\(key)").kind)
        }
        for text in ["", "scrypt", "scrypt$ln=99,r=8,p=1", "md5$r=1", "scrypt$ln=17,r=8,p=1$x"] {
            #expect(PasswordFunction(parsing: text) == nil)
        }
    }
}
