import COpenSSL

/// An OpenSSL key, freed with this object.
///
/// Unchecked: the key is immutable after creation, and OpenSSL allows any number of threads to use
/// an unchanged `EVP_PKEY`, each with its own context.
final class KeyHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes ownership of the reference.
    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { EVP_PKEY_free(pointer) }

    /// Nil for unsupported kinds, regardless of size.
    var kind: KeyKind? {
        if EVP_PKEY_is_a(pointer, "RSA") == 1 { return .rsa }
        if EVP_PKEY_is_a(pointer, "ED25519") == 1 { return .ed25519 }
        if EVP_PKEY_is_a(pointer, "ED448") == 1 { return .ed448 }
        guard EVP_PKEY_is_a(pointer, "EC") == 1 else { return nil }
        var name = [CChar](repeating: 0, count: 64)
        var length = 0
        guard EVP_PKEY_get_group_name(pointer, &name, name.count, &length) == 1 else { return nil }
        let group = String(decoding: name.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return [EllipticCurve.p256, .p384, .p521].first { $0.groupName == group }.map(KeyKind.ec)
    }

    /// True if a key on an elliptic curve is on the curve, in the group, and not the point at infinity.
    var isValidPublicKey: Bool {
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil) else { return false }
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_public_check(context) == 1 else {
            ERR_clear_error()
            return false
        }
        return true
    }

    /// A number of the key in big-endian bytes: `size` of them, or the minimum.
    func number(_ name: String, size: Int? = nil) -> [UInt8]? {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(pointer, name, &number) == 1, let number else { return nil }
        defer { BN_free(number) }
        return BigNumber.bytes(number, size: size ?? (Int(BN_num_bits(number)) + 7) / 8)
    }
}
