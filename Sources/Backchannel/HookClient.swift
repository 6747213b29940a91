package import Accounts
import AsyncHTTPClient
package import NIOCore
import NIOHTTP1
package import NIOSSL

/// An operator's endpoint: its URL, the secret of its signatures, and the time that a call may take.
package struct HookTarget: Sendable {
    package var url: String
    package var secret: [UInt8]
    package var timeout: Duration

    package init(url: String, secret: [UInt8], timeout: Duration = .seconds(7)) {
        self.url = url
        self.secret = secret
        self.timeout = timeout
    }
}

/// Signed JSON to operators' endpoints: redirects not followed, proxies of the environment not used, 64 KiB of an answer.
///
/// Makes its connections itself, so that none of these can be configured away. One per process; `shutdown()` ends it.
package final class HookClient: Sendable {
    /// The reason why there is no answer. Holds neither the URL nor the secret.
    package enum Failure: Error, Sendable, Equatable {
        case timeout(Duration)
        /// No connection, a failed TLS handshake, or a broken connection. The text is the cause, without addresses.
        case unreachable(String)
        case tooLarge
        /// The status is no success, or the answer is none of a hook's.
        case unusable(String)

        package var reason: String {
            switch self {
            case .timeout(let limit): "no response within \(limit)"
            case .unreachable(let what): "no connection: \(what)"
            case .tooLarge: "the response is larger than \(HookVerdict.maximumAnswerBytes >> 10) KiB"
            case .unusable(let what): what
            }
        }
    }

    package struct Answer: Sendable, Equatable {
        package let status: Int
        package let body: [UInt8]
    }

    private let connections: OutgoingConnections
    private let userAgent: String
    /// Unix seconds.
    private let now: @Sendable () -> Int64
    private let calls = RunningCalls()

    /// `now`: Unix seconds, for the signature. Certificates are verified against the system's roots and `additionalTrustRoots`, names included.
    package init(
        group: any EventLoopGroup, userAgent: String = "gateway", additionalTrustRoots: [NIOSSLCertificate] = [],
        now: @escaping @Sendable () -> Int64
    ) {
        connections = OutgoingConnections(group: group, additionalTrustRoots: additionalTrustRoots, connections: 64)
        self.userAgent = userAgent
        self.now = now
    }

    /// Asks a hook about a sign-in. Any failure means that the sign-in is refused.
    package func decide(_ event: HookEvent, at target: HookTarget) async throws(Failure) -> HookVerdict {
        let answer = try await send(event.body, to: target)
        do throws(HookVerdict.Problem) {
            return try HookVerdict(status: answer.status, body: answer.body)
        } catch {
            throw .unusable(error.reason)
        }
    }

    /// Delivers an event whose answer means nothing but its status.
    package func deliver(_ event: HookEvent, to target: HookTarget) async throws(Failure) {
        let answer = try await send(event.body, to: target)
        guard (200...299).contains(answer.status) else { throw .unusable("it answered with status \(answer.status)") }
    }

    /// Sends any signed JSON, for instance a text message to the operator's service. The target's timeout covers everything, from
    /// connecting to the last byte.
    package func send(_ body: [UInt8], to target: HookTarget) async throws(Failure) -> Answer {
        let outcome = await withTaskGroup(of: Result<Answer, Failure>.self) { group in
            group.addTask { await self.perform(body, target) }
            group.addTask {
                try? await Task.sleep(for: target.timeout)
                return .failure(.timeout(target.timeout))
            }
            let first = await group.next() ?? .failure(.timeout(target.timeout))
            group.cancelAll()
            return first
        }
        return try outcome.get()
    }

    /// Ends the calls that are under way, and returns when none is left: the event loops may stop then. Later calls fail.
    package func shutdown() async throws {
        try await calls.stop { try await connections.shutdown() }
    }

    private func perform(_ body: [UInt8], _ target: HookTarget) async -> Result<Answer, Failure> {
        await calls.run { await call(body, target) } ?? .failure(.unreachable("the gateway stops"))
    }

    private func call(_ body: [UInt8], _ target: HookTarget) async -> Result<Answer, Failure> {
        var request = HTTPClientRequest(url: target.url)
        request.method = .POST
        request.headers.add(name: "User-Agent", value: userAgent)
        request.headers.add(name: "Accept", value: "application/json")
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(
            name: HookSignature.header, value: HookSignature.value(secret: target.secret, body: body, now: now()))
        request.body = .bytes(ByteBuffer(bytes: body))
        do {
            let response = try await connections.execute(request, timeout: TimeAmount(target.timeout), repeats: true)
            var received: [UInt8] = []
            for try await chunk in response.body {
                guard received.count + chunk.readableBytes <= HookVerdict.maximumAnswerBytes else { return .failure(.tooLarge) }
                received.append(contentsOf: chunk.readableBytesView)
            }
            return .success(Answer(status: Int(response.status.code), body: received))
        } catch let error as HTTPClientError {
            return .failure(
                ProviderTransport.isLate(error) || Task.isCancelled ? .timeout(target.timeout) : .unreachable(error.shortDescription))
        } catch {
            return .failure(Task.isCancelled ? .timeout(target.timeout) : .unreachable(ProviderTransport.cause(of: error)))
        }
    }
}
