import Primitives

/// The JSON form of an error, for requests that are not a browser's navigation.
package enum ErrorBody {
    /// `{"error":{"code":…,"message":…,"request_id":…}}`; `login_url` joins the object for a 401.
    ///
    /// `message` nil takes the catalogue's text for `code`.
    package static func json(code: String, message: String? = nil, requestID: String, loginURL: String? = nil) -> [UInt8] {
        var members = [
            "\"code\":\(quoted(code))",
            "\"message\":\(quoted(message ?? ErrorText.of(code: code).message))",
            "\"request_id\":\(quoted(requestID))",
        ]
        if let loginURL { members.append("\"login_url\":\(quoted(loginURL))") }
        return Array("{\"error\":{\(members.joined(separator: ","))}}\n".utf8)
    }

    /// A JSON string (RFC 8259 section 7). `< > &` and the separators U+2028 and U+2029 are escaped too, so that the text is
    /// inert where a program inserts it into a page or a script.
    static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        JSONEscaping.append(text, to: &bytes) { scalar in
            switch scalar {
            case "\u{80}"..."\u{9F}", "<", ">", "&", "\u{2028}", "\u{2029}": true
            default: false
            }
        }
        return "\"" + String(decoding: bytes, as: UTF8.self) + "\""
    }
}
