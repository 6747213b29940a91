import Primitives
import TokenCrypto

/// The header that proves to an operator's endpoint that a request is the gateway's, and when it was made.
package enum HookSignature {
    package static let header = "Gateway-Signature"

    /// `t=UNIX,v1=HEX`, with HMAC-SHA256 over the time, a dot and the body. `now` in Unix seconds.
    package static func value(secret: [UInt8], body: [UInt8], now: Int64) -> String {
        let code = HMAC.sha256(key: secret, Array("\(now).".utf8) + body)
        let digits = Array("0123456789abcdef".utf8)
        let hexadecimal = code.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return "t=\(now),v1=\(String(decoding: hexadecimal, as: UTF8.self))"
    }
}
