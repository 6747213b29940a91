import Config
import Providers
import TokenCrypto

/// Tells whether two values are the same in every stored property, those included that a later version adds, secrets too.
/// A digest: nothing can be read out of it.
enum ValueFingerprint {
    static func of(_ value: Any) -> [UInt8] {
        var text = ""
        describe(value, into: &text)
        return SHA2.sha256(Array(text.utf8))
    }

    private static func describe(_ value: Any, into text: inout String) {
        // Secrets hide from reflection.
        if let secret = value as? ProviderSettings.Secret { return quote(secret.exposed, into: &text) }
        if let secret = value as? Secret { return quote(secret.exposed, into: &text) }
        if let string = value as? String { return quote(string, into: &text) }
        let mirror = Mirror(reflecting: value)
        guard !mirror.children.isEmpty else { return quote("\(value)", into: &text) }
        // An order of their own: two equal sets may list their members differently.
        let isUnordered = mirror.displayStyle == .set || mirror.displayStyle == .dictionary
        var parts = mirror.children.map { child in
            var part = (child.label ?? "") + ":"
            describe(child.value, into: &part)
            return part
        }
        if isUnordered { parts.sort() }
        text += "("
        for part in parts { text += part + "," }
        text += ")"
    }

    /// With its length before it, so that no text can look like structure.
    private static func quote(_ string: String, into text: inout String) { text += "\(string.utf8.count)=" + string }
}
