import Primitives
import TokenCrypto

/// A second factor as an export writes it: as the store keeps it, but with its secret in clear.
package struct FactorDocument: Sendable, Equatable, Redacted {
    /// Without its sealed secret.
    package let factor: Factor
    /// The secret of `totp`, the number of `phone`; nil for others.
    package let secret: [UInt8]?
    /// The digests of a `recovery` factor's unused codes.
    package let recoveryCodes: [[UInt8]]

    package init(factor: Factor, secret: [UInt8]? = nil, recoveryCodes: [[UInt8]] = []) {
        self.factor = factor
        self.secret = secret
        self.recoveryCodes = recoveryCodes.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private static let members: Set<String> = [
        "id", "type", "display_name", "enrolled_at", "secret", "last_step", "phone", "credential", "code_digests",
    ]
    private static let credentialMembers: Set<String> = ["id", "public_key", "counter", "transports"]
    private static let mostRecoveryCodes = 100

    // MARK: Writing

    var object: OrderedObject {
        var object = OrderedObject()
        object.add("id", .string(factor.id))
        object.add("type", .string(factor.type.rawValue))
        object.add("display_name", factor.displayName.map { .string($0) })
        object.add("enrolled_at", .string(AccountTime.text(factor.enrolledAt)))
        switch factor.type {
        case .totp:
            object.add("secret", secret.map { .string(Base32.lowercased($0).uppercased()) })
            object.add("last_step", factor.lastStep.map { .integer($0) })
        case .phone: object.add("phone", secret.map { .string(String(decoding: $0, as: UTF8.self)) })
        case .webauthn: object.add("credential", factor.credential.map(Self.object))
        case .recovery: object.add("code_digests", .array(recoveryCodes.map { .string(Base64URL.encode($0)) }))
        }
        return object
    }

    private static func object(_ credential: FactorCredential) -> OrderedObject {
        var object = OrderedObject()
        object.add("id", .string(Base64URL.encode(credential.id)))
        object.add("public_key", .string(Base64URL.encode(credential.publicKey)))
        object.add("counter", .integer(Int64(credential.counter)))
        object.add("transports", .array(credential.transports.map { .string($0) }))
        return object
    }

    // MARK: Reading

    /// The factors of an account. What their secrets and keys mean is checked when they are sealed.
    static func list(_ items: [JSONValue], isAnonymous: Bool, enrolledAt: Int64) throws(ImportProblem) -> [FactorDocument] {
        guard !isAnonymous || items.isEmpty else { throw ImportProblem("an anonymous account has no second factors") }
        var documents: [FactorDocument] = []
        for item in items {
            do throws(ImportProblem) {
                let document = try FactorDocument(item, enrolledAt: enrolledAt)
                guard !documents.contains(where: { $0.factor.id == document.factor.id }) else {
                    throw ImportProblem("another one has the same id")
                }
                documents.append(document)
            } catch {
                throw ImportProblem("second factor \(documents.count + 1): \(error.reason)")
            }
        }
        let recovery = documents.count { $0.factor.type == .recovery }
        let others = documents.count - recovery
        guard others <= AccountRules.mostFactors else { throw ImportProblem("it has more than \(AccountRules.mostFactors) second factors") }
        guard recovery <= 1, recovery == 0 || others > 0 else {
            throw ImportProblem("it has recovery codes twice, or without another second factor")
        }
        return documents
    }

    private init(_ value: JSONValue, enrolledAt: Int64) throws(ImportProblem) {
        let read = try ImportMembers(value, only: Self.members)
        guard let type = FactorType(rawValue: try read.required("type")) else { throw ImportProblem("`type` is unknown") }
        let id = try read.required("id")
        guard id.utf8.count <= 100 else { throw ImportProblem("`id` is longer than 100 bytes") }
        var credential: FactorCredential?
        var secret: [UInt8]?
        var codes: [[UInt8]] = []
        switch type {
        case .totp:
            secret = Self.base32(try read.required("secret"))
            guard secret != nil else { throw ImportProblem("`secret` is not Base32") }
        case .phone: secret = Array(try read.required("phone").utf8)
        case .webauthn: credential = try Self.credential(read.member("credential"))
        case .recovery:
            for item in try read.list("code_digests") {
                guard let digest = item.string.flatMap(Base64URL.decode), digest.count == 32, !codes.contains(digest) else {
                    throw ImportProblem("`code_digests` has an item that is no SHA-256, or is there twice")
                }
                codes.append(digest)
            }
            guard codes.count <= Self.mostRecoveryCodes else { throw ImportProblem("`code_digests` has too many items") }
        }
        let lastStep = try read.integer("last_step")
        guard lastStep == nil || type == .totp && lastStep.map({ $0 >= 0 }) == true else {
            throw ImportProblem("`last_step` is negative, or the factor is no `totp`")
        }
        self.init(
            factor: Factor(
                id: id, type: type, displayName: try read.profileText("display_name"),
                enrolledAt: try read.time("enrolled_at") ?? enrolledAt, credential: credential, lastStep: lastStep),
            secret: secret, recoveryCodes: codes)
    }

    private static func credential(_ value: JSONValue?) throws(ImportProblem) -> FactorCredential {
        guard let value else { throw ImportProblem("`credential` is missing") }
        let read = try ImportMembers(value, only: credentialMembers)
        guard let id = Base64URL.decode(try read.required("id")), (1...1_023).contains(id.count) else {
            throw ImportProblem("the credential's `id` is not the Base64URL of at most 1,023 bytes")
        }
        guard let key = Base64URL.decode(try read.required("public_key")), !key.isEmpty else {
            throw ImportProblem("`public_key` is not Base64URL")
        }
        guard let counter = UInt32(exactly: try read.integer("counter") ?? 0) else { throw ImportProblem("`counter` is out of range") }
        let transports = try read.list("transports").map(\.string)
        guard transports.count <= 8, transports.allSatisfy({ $0.map(isTransport) == true }) else {
            throw ImportProblem("`transports` has an item that is no transport")
        }
        return FactorCredential(id: id, publicKey: key, counter: counter, transports: transports.compactMap { $0 })
    }

    private static func isTransport(_ text: String) -> Bool {
        (1...20).contains(text.utf8.count)
            && text.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "-") }
    }

    /// RFC 4648 section 6, in either case, with or without padding; nil for anything else.
    static func base32(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= 1_000 else { return nil }
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        let digits = text.uppercased().utf8
        guard let end = digits.lastIndex(where: { $0 != UInt8(ascii: "=") }) else { return nil }
        for digit in digits[...end] {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = digit - UInt8(ascii: "A")
            case UInt8(ascii: "2")...UInt8(ascii: "7"): value = digit - UInt8(ascii: "2") + 26
            default: return nil
            }
            bits = (bits << 5 | UInt32(value)) & 0xFFFF
            count += 5
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }
}
