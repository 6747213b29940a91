import Testing
import TokenCrypto

@testable import SecondFactors

@Suite("CBOR")
struct CBORTests {
    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex.utf8.filter { $0 != UInt8(ascii: " ") })
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
    }

    /// RFC 8949 appendix A, as far as the subset goes.
    private static let rows: [(String, CBORValue)] = [
        ("00", .unsigned(0)), ("01", .unsigned(1)), ("0a", .unsigned(10)), ("17", .unsigned(23)), ("1818", .unsigned(24)),
        ("1819", .unsigned(25)), ("1864", .unsigned(100)), ("1903e8", .unsigned(1_000)), ("1a000f4240", .unsigned(1_000_000)),
        ("1b000000e8d4a51000", .unsigned(1_000_000_000_000)), ("1bffffffffffffffff", .unsigned(.max)),
        ("3bffffffffffffffff", .negative(.max)), ("20", .integer(-1)), ("29", .integer(-10)), ("3863", .integer(-100)),
        ("3903e7", .integer(-1_000)), ("f4", .bool(false)), ("f5", .bool(true)), ("f6", .null), ("40", .bytes([])),
        ("4401020304", .bytes([1, 2, 3, 4])), ("60", .text("")), ("6161", .text("a")), ("6449455446", .text("IETF")),
        ("62225c", .text("\"\\")),
        ("62c3bc", .text("ü")), ("63e6b0b4", .text("水")), ("64f0908591", .text("𐅑")), ("80", .array([])),
        ("83010203", .array([.unsigned(1), .unsigned(2), .unsigned(3)])),
        ("8301820203820405", .array([.unsigned(1), .array([.unsigned(2), .unsigned(3)]), .array([.unsigned(4), .unsigned(5)])])),
        ("a0", .map([:])), ("a201020304", .map([.unsigned(1): .unsigned(2), .unsigned(3): .unsigned(4)])),
        ("a26161016162820203", .map([.text("a"): .unsigned(1), .text("b"): .array([.unsigned(2), .unsigned(3)])])),
    ]

    @Test("RFC 8949 appendix A", arguments: Self.rows)
    func examples(hex: String, value: CBORValue) throws {
        #expect(try CBORDecoder.decode(Self.bytes(hex)) == value)
        #expect(CBOREncoder.encode(value) == Self.bytes(hex))
    }

    @Test(
        "hostile bytes are refused",
        arguments: [
            ("", "it ends in an item"), ("0000", "bytes follow the item"),
            // Lengths that the bytes do not have.
            ("18", "it ends in an item"), ("19ff", "it ends in an item"), ("1bffffffff", "it ends in an item"),
            ("41", "a string is longer than the rest"), ("5bffffffffffffffff", "a string is longer than the rest"),
            ("7bffffffffffffffff", "a string is longer than the rest"), ("5b7fffffffffffffff", "a string is longer than the rest"),
            ("81", "a list or a map has more elements than bytes"), ("9bffffffffffffffff", "a list or a map has more elements than bytes"),
            ("a1", "a list or a map has more elements than bytes"), ("a101", "a list or a map has more elements than bytes"),
            ("bb8000000000000000", "a list or a map has more elements than bytes"),
            ("8261", "a list or a map has more elements than bytes"),
            // Indefinite lengths and the reserved initial bytes.
            ("5f4101ff", "a length is indefinite"), ("7f6161ff", "a length is indefinite"), ("9fff", "a length is indefinite"),
            ("bfff", "a length is indefinite"), ("1c", "an initial byte is reserved"), ("5d", "an initial byte is reserved"),
            ("9e", "an initial byte is reserved"),
            // Numbers that are not in their shortest form.
            ("1817", "a number is not in its shortest form"), ("1900ff", "a number is not in its shortest form"),
            ("1a0000ffff", "a number is not in its shortest form"), ("1b00000000ffffffff", "a number is not in its shortest form"),
            ("3800", "a number is not in its shortest form"), ("580100", "a number is not in its shortest form"),
            ("980100", "a number is not in its shortest form"), ("b8010000", "a number is not in its shortest form"),
            // Keys.
            ("a201000100", "a key occurs twice"), ("a26161006161f6", "a key occurs twice"),
            ("a1410000", "a key is neither a number nor a text"),
            ("a18000", "a key is neither a number nor a text"), ("a1f500", "a key is neither a number nor a text"),
            // "é" in both forms of Unicode: Swift takes them for the same text.
            ("a262c3a9006365cc8100", "a key occurs twice"),
            // Tags, floating-point numbers, other simple values, a break.
            ("c001", "it has a tag"), ("d9d9f700", "it has a tag"), ("f90000", "it has a floating-point number or an unknown simple value"),
            ("fa47c35000", "it has a floating-point number or an unknown simple value"),
            ("fb3ff199999999999a", "it has a floating-point number or an unknown simple value"),
            ("f7", "it has a floating-point number or an unknown simple value"),
            ("f818", "it has a floating-point number or an unknown simple value"),
            ("ff", "it has a floating-point number or an unknown simple value"),
            // Texts.
            ("61ff", "a text is not UTF-8"), ("62c328", "a text is not UTF-8"), ("63eda080", "a text is not UTF-8"),
            ("62c080", "a text is not UTF-8"),
            // Levels.
            ("8181818100", nil), ("818181818100", "it is nested deeper than 4 levels"),
            ("a100a100a100a100a0", "it is nested deeper than 4 levels"),
        ] as [(String, String?)])
    func hostile(hex: String, reason: String?) {
        do throws(CBORError) {
            _ = try CBORDecoder.decode(Self.bytes(hex))
            #expect(reason == nil)
        } catch {
            #expect(error.reason == reason)
        }
    }

    @Test func `sizes and depths beyond the limits cost nothing`() {
        let long = [0x5A, 0x00, 0x01, 0x00, 0x00] + [UInt8](repeating: 0, count: 1 << 16)
        #expect(throws: CBORError("it is longer than 65536 bytes")) { try CBORDecoder.decode(long) }
        #expect(throws: CBORError.self) { try CBORDecoder.decode([UInt8](repeating: 0x81, count: 60_000)) }
    }

    @Test func `a prefix is decoded with its size`() throws {
        let (value, size) = try CBORDecoder.decodePrefix([0x82, 0x01, 0x02, 0xFF])
        #expect(value == .array([.unsigned(1), .unsigned(2)]) && size == 3)
    }
}

@Suite("COSE keys and authenticator data")
struct COSETests {
    private func refusal(_ key: [CBORValue: CBORValue]) -> WebAuthnError? {
        do throws(WebAuthnError) {
            _ = try COSEKey(.map(key))
            return nil
        } catch {
            return error
        }
    }

    @Test("a key with a fault is refused", arguments: TestAuthenticator.algorithms)
    func faults(algorithm: JWSAlgorithm) {
        let key = TestAuthenticator(algorithm).coseKey
        #expect(refusal(key) == nil)
        for name in key.keys {
            var other = key
            other[name] = nil
            #expect(refusal(other) != nil, "without \(name)")
            other[name] = .bytes([])
            #expect(refusal(other) != nil, "\(name) is empty")
            other[name] = .text("x")
            #expect(refusal(other) != nil, "\(name) is a text")
            if case .bytes(let bytes)? = key[name] {
                other[name] = .bytes(bytes + [0])
                #expect(refusal(other) != nil, "\(name) is longer")
                other[name] = .bytes(Array(bytes.dropLast()))
                #expect(refusal(other) != nil || algorithm == .rs256, "\(name) is shorter")
            }
        }
        for (name, value) in [(2, CBORValue.bytes([1])), (4, .array([.integer(1)])), (-4, .bytes([1])), (-70_000, .null)] {
            #expect(refusal(key.merging([.integer(name): value]) { $1 }) == .malformed("the public key has other parameters"))
        }
    }

    @Test func `keys that nobody could use safely are refused`() {
        let ec = TestAuthenticator(.es256).coseKey
        let zero = CBORValue.bytes([UInt8](repeating: 0, count: 32))
        #expect(refusal(ec.merging([.integer(-2): zero, .integer(-3): zero]) { $1 }) == .malformed("the public key is not valid"))
        #expect(refusal(ec.merging([.integer(-3): zero]) { $1 }) == .malformed("the public key is not valid"), "a point off the curve")
        #expect(refusal(ec.merging([.integer(-1): .integer(2)]) { $1 }) != nil, "P-384 with ES256")
        #expect(refusal(ec.merging([.integer(-3): .bool(true)]) { $1 }) != nil, "a compressed point")
        let rsa = TestAuthenticator(.rs256).coseKey
        for modulus in [[UInt8](repeating: 0xFF, count: 128), [UInt8](repeating: 0xFE, count: 256), [UInt8](repeating: 0xFF, count: 1_025)]
        {
            #expect(refusal(rsa.merging([.integer(-1): .bytes(modulus)]) { $1 }) == .malformed("the public key is not valid"))
        }
        for exponent: [UInt8] in [[1], [2], [0], [UInt8](repeating: 0xFF, count: 9)] {
            #expect(refusal(rsa.merging([.integer(-2): .bytes(exponent)]) { $1 }) == .malformed("the public key is not valid"))
        }
    }

    @Test("algorithms that were not offered", arguments: [-35, -36, -37, -47, -65_535, 0, 5])
    func algorithms(alg: Int) {
        for algorithm in TestAuthenticator.algorithms {
            #expect(refusal(TestAuthenticator(algorithm).coseKey.merging([.integer(3): .integer(alg)]) { $1 }) == .algorithm)
        }
    }

    @Test func `a key is a map with nothing after it`() {
        let bytes = CBOREncoder.encode(.map(TestAuthenticator().coseKey))
        #expect(throws: Never.self) { try COSEKey(decoding: bytes) }
        for other in [[], [0x80], bytes + [0], Array(bytes.dropLast()), [0xF6]] {
            #expect(throws: WebAuthnError.self) { try COSEKey(decoding: other) }
        }
    }

    @Test func `authenticator data that is cut off anywhere, or has more than it announces, is refused`() throws {
        let key = CBOREncoder.encode(.map(TestAuthenticator().coseKey))
        let head = [UInt8](repeating: 7, count: 32)
        let extensions = CBOREncoder.encode(.map([.text("uvm"): .array([])]))
        let whole = head + [0xC5, 0, 0, 1, 2] + [UInt8](repeating: 9, count: 16) + [0, 3, 1, 2, 3] + key + extensions
        let data = try AuthenticatorData(whole)
        #expect(data.relyingPartyHash == head && data.counter == 258 && data.credential?.id == [1, 2, 3])
        #expect(data.credential?.aaguid == [UInt8](repeating: 9, count: 16) && data.credential?.encodedKey == key)
        for count in 0..<whole.count { #expect(throws: WebAuthnError.self) { try AuthenticatorData(Array(whole.prefix(count))) } }
        #expect(throws: WebAuthnError.self) { try AuthenticatorData(whole + [0]) }
        // The flags announce less than there is, or more.
        for flags: UInt8 in [0x05, 0x45, 0x85] {
            var other = whole
            other[32] = flags
            #expect(throws: WebAuthnError.self) { try AuthenticatorData(other) }
        }
        #expect(throws: Never.self) { try AuthenticatorData(head + [0x05, 0, 0, 0, 0]) }
        // A credential id that claims more than there is.
        var long = whole
        (long[53], long[54]) = (0xFF, 0xFF)
        #expect(throws: WebAuthnError.self) { try AuthenticatorData(long) }
    }
}
