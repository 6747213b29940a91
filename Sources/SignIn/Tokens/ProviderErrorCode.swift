import TokenCrypto

/// The error that an answer names, in the shapes that providers use. Anything of it that is shown is plain letters and digits.
enum ProviderErrorCode {
    /// `{"error": "code"}`, Graph's `{"error": {"type", "code"}}`, `{"ok": false, "error": "code"}`, Naver's `resultcode`, Twitch's
    /// and GitHub's `message` with an `error` beside it; nil when the answer names none.
    static func text(in json: JSONValue) -> String? {
        switch json["error"] {
        case .string(let code): return code.isEmpty ? nil : code
        case .object(let members):
            let type = members["type"]?.string
            let code = members["code"].flatMap { $0.string ?? $0.integer.map { String($0) } }
            let parts = [type, code].compactMap { $0 }
            return parts.isEmpty ? "error" : parts.joined(separator: ".")
        default: break
        }
        if json["ok"] == .bool(false) { return "not-ok" }
        if let code = json["resultcode"]?.string, code != "00" { return code }
        return nil
    }
}
