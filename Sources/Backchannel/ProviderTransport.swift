import AsyncHTTPClient
package import NIOCore
import NIOHTTP1
import NIOPosix
package import NIOSSL
package import SignIn
import Transport

/// HTTP to identity providers: redirects not followed, proxies of the environment not used, ten seconds and 1 MiB in all.
///
/// Makes its connections itself, so that none of these can be configured away. One per process; `shutdown()` ends it.
package final class ProviderTransport: Sendable {
    package enum Failure: Error, Sendable, Equatable {
        case timeout
        /// No connection, a failed TLS handshake, or a broken connection. The text is the cause, without addresses.
        case unreachable(String)
        case tooLarge

        package var reason: String {
            switch self {
            case .timeout: "no response within 10 s"
            case .unreachable(let what): "no connection: \(what)"
            case .tooLarge: "the response is larger than 1 MiB"
            }
        }
    }

    package struct Request: Sendable {
        var method: HTTPMethod
        var url: String
        var headers: [(name: String, value: String)]
        var body: [UInt8]?

        static func get(_ url: String, headers: [(name: String, value: String)] = []) -> Request {
            Request(method: .GET, url: url, headers: headers, body: nil)
        }

        static func form(_ url: String, _ fields: [(name: String, value: String)], headers: [(name: String, value: String)] = []) -> Request
        {
            Request(
                method: .POST, url: url, headers: headers + [("Content-Type", "application/x-www-form-urlencoded")],
                body: Array(FormCoding.form(fields).utf8))
        }
    }

    package static let maximumBytes = 1 << 20

    private let connections: OutgoingConnections
    private let timeout: Duration
    private let userAgent: String
    private let observe: (@Sendable (ProviderCall) -> Void)?
    private let calls = RunningCalls()

    /// `timeout`: for one call, from connecting to the last byte. Certificates are verified against the system's roots and
    /// `additionalTrustRoots`, names included; there is no way to switch that off. `observe` hears of every call when it has ended.
    package init(
        group: any EventLoopGroup, timeout: Duration = .seconds(10), userAgent: String = "gateway",
        additionalTrustRoots: [NIOSSLCertificate] = [], observe: (@Sendable (ProviderCall) -> Void)? = nil
    ) {
        // Beyond the limit, calls queue: junk callbacks would delay those of users.
        connections = OutgoingConnections(group: group, additionalTrustRoots: additionalTrustRoots, connections: 256)
        self.timeout = timeout
        self.userAgent = userAgent
        self.observe = observe
    }

    /// The calls under way.
    var callCount: Int { calls.count }

    /// Ends the calls that are under way, and returns when none is left: the event loops may stop then. Later calls fail.
    package func shutdown() async throws {
        try await calls.stop { try await connections.shutdown() }
    }

    package func send(_ request: Request) async throws(Failure) -> ProviderAnswer {
        let start = ContinuousClock.now
        let outcome = await exchange(request)
        if let observe {
            let duration = (ContinuousClock.now - start).components
            observe(
                ProviderCall(
                    request, outcome, nanoseconds: UInt64(max(0, duration.seconds * 1_000_000_000 + duration.attoseconds / 1_000_000_000))))
        }
        return try outcome.get()
    }

    func exchange(_ request: Request) async -> Result<ProviderAnswer, Failure> {
        await withTaskGroup(of: Result<ProviderAnswer, Failure>.self) { group in
            group.addTask { await self.perform(request) }
            group.addTask {
                try? await Task.sleep(for: self.timeout)
                return .failure(.timeout)
            }
            let first = await group.next() ?? .failure(.timeout)
            group.cancelAll()
            return first
        }
    }

    private func perform(_ request: Request) async -> Result<ProviderAnswer, Failure> {
        await calls.run { await call(request) } ?? .failure(.unreachable("the gateway stops"))
    }

    private func call(_ request: Request) async -> Result<ProviderAnswer, Failure> {
        var outgoing = HTTPClientRequest(url: request.url)
        outgoing.method = request.method
        outgoing.headers.add(name: "User-Agent", value: self.userAgent)
        outgoing.headers.add(name: "Accept", value: "application/json")
        for header in request.headers { outgoing.headers.replaceOrAdd(name: header.name, value: header.value) }
        if let body = request.body { outgoing.body = .bytes(ByteBuffer(bytes: body)) }
        do {
            let response = try await connections.execute(
                outgoing, timeout: TimeAmount(self.timeout), repeats: request.method == .GET)
            if let length = response.headers.first(name: "Content-Length").flatMap({ Int($0) }), length > Self.maximumBytes {
                return .failure(.tooLarge)
            }
            var body: [UInt8] = []
            for try await chunk in response.body {
                guard body.count + chunk.readableBytes <= Self.maximumBytes else { return .failure(.tooLarge) }
                body.append(contentsOf: chunk.readableBytesView)
            }
            // A second Content-Type is no content type.
            let types = response.headers["Content-Type"]
            let links = response.headers["Link"]
            return .success(
                ProviderAnswer(
                    status: Int(response.status.code), contentType: types.count == 1 ? types[0] : nil, body: body,
                    link: links.isEmpty ? nil : links.joined(separator: ","), dpopNonce: response.headers.first(name: "DPoP-Nonce")))
        } catch let error as HTTPClientError {
            return .failure(Self.isLate(error) || Task.isCancelled ? .timeout : .unreachable(error.shortDescription))
        } catch {
            return .failure(Task.isCancelled ? .timeout : .unreachable(Self.cause(of: error)))
        }
    }
}

extension ProviderTransport {
    /// Whether a call failed because a time limit had passed.
    static func isLate(_ error: HTTPClientError) -> Bool {
        let late: [HTTPClientError] = [
            .deadlineExceeded, .connectTimeout, .readTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout,
        ]
        return late.contains(error)
    }

    /// The cause of a failed call: the system's error, or the kind of another one. Never a description, which can hold addresses.
    static func cause(of error: any Error) -> String {
        if let system = SystemError.text(error) { return system }
        switch error {
        case let error as NIOConnectionError:
            guard let last = error.connectionErrors.last else { return "the host name does not resolve" }
            return cause(of: last.error)
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
            return "TLS failed, for instance the certificate (\(type(of: error)))"
        default: return "\(type(of: error))"
        }
    }
}

extension ProviderTransport.Failure {
    /// The error of a sign-in. `what`: the endpoint in words.
    func signInError(provider: String, calling what: String) -> SignInError {
        switch self {
        case .timeout: SignInError(.providerTimeout, provider: provider, "\(what): \(self.reason)")
        case .unreachable, .tooLarge: SignInError(.providerUnavailable, provider: provider, "\(what): \(self.reason)")
        }
    }
}
