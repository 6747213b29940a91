import Providers
import NIOHTTP1
import SignIn

/// One call over the transport that has ended, for the metrics and the traces.
package struct ProviderCall: Sendable {
    package enum Outcome: String, Sendable {
        case success
        /// An answer of 400 or above.
        case status
        case timeout
        case unreachable
        case tooLarge = "too-large"
    }

    package let method: String
    /// Without query and fragment: those may hold secrets.
    package let url: String
    /// nil without an answer.
    package let status: Int?
    package let outcome: Outcome
    package let nanoseconds: UInt64
}

extension ProviderCall {
    init(_ request: ProviderTransport.Request, _ outcome: Result<ProviderAnswer, ProviderTransport.Failure>, nanoseconds: UInt64) {
        method = request.method.rawValue
        url = String(request.url.prefix { $0 != "?" && $0 != "#" })
        self.nanoseconds = nanoseconds
        switch outcome {
        case .success(let answer):
            status = answer.status
            self.outcome = answer.status < 400 ? .success : .status
        case .failure(let failure):
            status = nil
            self.outcome =
                switch failure {
                case .timeout: .timeout
                case .unreachable: .unreachable
                case .tooLarge: .tooLarge
                }
        }
    }
}

extension ProviderTransport {
    /// Posts a document that is not for a provider; true when it was taken (2xx). Not observed.
    package func postJSON(_ body: [UInt8], to url: String, headers: [(name: String, value: String)]) async -> Bool {
        let request = Request(method: .POST, url: url, headers: headers + [("Content-Type", "application/json")], body: body)
        guard case .success(let answer) = await exchange(request) else { return false }
        return (200..<300).contains(answer.status)
    }
}

extension ProviderClient {
    /// The purpose of one of this provider's URLs; nil for any other URL.
    package func purpose(of url: String) -> String? {
        func matches(_ other: String?) -> Bool { other.map { $0.prefix { $0 != "?" } == url } ?? false }
        if matches(settings.discoveryURL) { return "discovery" }
        let provider = connection.connected?.provider
        if matches(provider?.token) { return "token" }
        if matches(provider?.userinfo) { return "userinfo" }
        if matches(provider?.jwks) { return "jwks" }
        if matches(provider?.revocation) { return "revocation" }
        if case .fromEndpoint(let endpoint) = settings.email, matches(endpoint.url) { return "emails" }
        return nil
    }

    /// The number of keys that verify this provider's tokens, and the time of their fetch (Unix milliseconds); nil before the first.
    package func keyStatus() async -> (count: Int, fetchedAt: Int64)? { await connection.connected?.keys?.status }
}
