import Primitives
import TokenCrypto

extension ProviderState {
    /// The thumbprint of the key that the request proves (RFC 9449 section 4.3); nil where DPoP is off or no proof came and none is needed.
    mutating func provenThumbprint(
        _ request: DevRequest, accessToken: String? = nil, _ now: Int64
    ) throws(TokenError) -> String? {
        guard options.dpop != .off else { return nil }
        let proofs = request.headers.filter { $0.name.lowercased() == "dpop" }
        if proofs.isEmpty, options.dpop != .required, accessToken == nil { return nil }
        func invalid(_ what: String) -> TokenError { TokenError(code: "invalid_dpop_proof", description: what) }
        guard proofs.count == 1, let proof = try? UnverifiedJWS(compact: proofs[0].value) else { throw invalid("There is not one proof.") }
        guard proof.type == "dpop+jwt", proof.header["kid"] == nil, let key = proof.header["jwk"], key["d"] == nil,
            let set = try? JWKSet(parsing: .object(["keys": .array([key])])),
            let claims = try? proof.verified(with: set, secret: nil, allowed: [.es256])
        else { throw invalid("The proof's header or signature is wrong.") }
        guard claims["htm"]?.string == request.method, claims["htu"]?.string == origin + request.path else {
            throw invalid("The proof is for another request.")
        }
        guard let issued = claims["iat"]?.integer, (now / 1000 - 60...now / 1000 + 60).contains(issued) else {
            throw invalid("iat is out of bounds.")
        }
        guard let id = claims["jti"]?.string, !id.isEmpty, memory.proofs.value(id, now: now / 1000) == nil else {
            throw invalid("The proof was used before.")
        }
        memory.proofs.insert(true, key: id, expiry: now / 1000 + 120, now: now / 1000)
        if let accessToken {
            guard claims["ath"]?.string == Base64URL.encode(SHA2.sha256(Array(accessToken.utf8))) else {
                throw invalid("ath does not fit.")
            }
        }
        if options.dpop == .nonce || has(.proof(.nonceForever)) {
            guard let nonce = memory.proofNonce, claims["nonce"]?.string == nonce, !has(.proof(.nonceForever)) else {
                memory.proofNonce = newToken("nonce-")
                throw TokenError(code: "use_dpop_nonce", description: "The proof needs this server's nonce.")
            }
        }
        guard let x = key["x"]?.string, let y = key["y"]?.string else { throw invalid("The key is of no known kind.") }
        // RFC 7638 section 3.
        return Base64URL.encode(SHA2.sha256(Array("{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"\(x)\",\"y\":\"\(y)\"}".utf8)))
    }

    /// The answer with the nonce for the next proof.
    func withNonce(_ response: DevResponse) -> DevResponse {
        guard let nonce = memory.proofNonce else { return response }
        var response = response
        response.headers.append(("DPoP-Nonce", nonce))
        return response
    }

    /// The token of `Authorization: DPoP` (RFC 9449 section 7.1).
    func boundToken(_ request: DevRequest) -> String? {
        guard let header = request.header("Authorization"), header.lowercased().hasPrefix("dpop ") else { return nil }
        return String(header.dropFirst(5))
    }
}
