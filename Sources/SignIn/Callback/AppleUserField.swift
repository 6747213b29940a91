import TokenCrypto

/// The `user` field that Apple's first callback has: `{"name":{"firstName":…,"lastName":…},"email":…}`. Nobody signed it.
package enum AppleUserField {
    /// The full name, for showing; nil when there is none. The address is not read: the ID token has it, signed.
    package static func name(_ text: String) -> String? {
        guard let json = try? JSONValue(parsing: text, limits: .init(bytes: 4096, depth: 4)), let name = json["name"] else { return nil }
        let parts = ["firstName", "lastName"].compactMap { name[$0]?.string }.filter { !$0.isEmpty }
        let joined = parts.joined(separator: " ")
        guard !joined.isEmpty, joined.utf8.count <= 200, joined.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return nil }
        return joined
    }
}
