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
        let digits = Array("0123456789abcdef")
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "<", ">", "&", "\u{2028}", "\u{2029}":
                let value = Int(scalar.value)
                result += "\\u"
                for shift in [12, 8, 4, 0] { result.append(digits[(value >> shift) & 15]) }
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
