import TokenCrypto

/// The answer of a pushed authorization request endpoint (RFC 9126 section 2.2).
package struct PushedAuthorization: Sendable, Equatable {
    package let requestURI: String
    /// Seconds, at most a year.
    package let expiresIn: Int64

    package enum Refusal: Error, Sendable, Equatable {
        /// The endpoint's own error; `code` is what it sent.
        case error(code: String)
        case status(Int)
        /// Says what is wrong in our words.
        case unusable(String)
    }

    /// Refuses what is not 201 (or 200, which some providers send) with a JSON object, a `request_uri` of 1 to 2,048 visible ASCII
    /// characters and a positive `expires_in`.
    package init(_ answer: ProviderAnswer) throws(Refusal) {
        let isSuccess = answer.status == 201 || answer.status == 200
        guard answer.isJSON, let json = try? JSONValue(parsing: answer.body), json.object != nil else {
            throw isSuccess ? .unusable("the response is not a JSON object") : .status(answer.status)
        }
        if let error = json["error"], error != .null { throw .error(code: error.string ?? "") }
        guard isSuccess else { throw .status(answer.status) }
        guard let uri = json["request_uri"]?.string, (1...2048).contains(uri.utf8.count), uri.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
        else {
            throw .unusable("request_uri is missing or invalid")
        }
        switch json["expires_in"] {
        case .integer(let seconds) where seconds > 0: self.expiresIn = min(seconds, TokenResponse.longestLife)
        case .number(let seconds) where seconds >= 1: self.expiresIn = Int64(min(seconds, Double(TokenResponse.longestLife)))
        default: throw .unusable("expires_in is missing or not a positive number")
        }
        self.requestURI = uri
    }
}

extension PushedAuthorization.Refusal {
    /// As the user and the log get it.
    package func signInError(provider: String) -> SignInError {
        let what = "the pushed authorization request endpoint"
        return switch self {
        case .error(let code): SignInError(.providerError, provider: provider, "\(what) returned an error", providerCode: code)
        case .status(let status):
            SignInError(
                status >= 500 || status == 429 ? .providerUnavailable : .providerError, provider: provider,
                "\(what) answered with status \(status)")
        case .unusable(let reason): SignInError(.invalidTokenResponse, provider: provider, "the response of \(what) is invalid: \(reason)")
        }
    }
}
