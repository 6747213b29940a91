import Primitives

/// The compact serialisation of RFC 7515 section 7.1.
enum CompactJWS {
    static func make(
        _ payload: [UInt8], header: [String: JSONValue], replacing: [String: JSONValue], sign: ([UInt8]) -> [UInt8]
    ) -> String {
        let members = header.merging(replacing) { $1 }.filter { $0.value != .null }
        let input = Base64URL.encode(JSONValue.object(members).serializedBytes()) + "." + Base64URL.encode(payload)
        return input + "." + Base64URL.encode(sign(Array(input.utf8)))
    }
}
