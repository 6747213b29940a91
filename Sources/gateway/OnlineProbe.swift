import AsyncHTTPClient
import Config
import Diagnostics
import Glibc
import Lint
import NIOCore
import NIOHTTP1
import NIOPosix
import Primitives
import Runtime
import Stores

/// Contacts providers and upstreams for `gateway validate --online`.
///
/// Every request is a GET without cookies and credentials. Stores get their own password, and nobody else gets a secret. Redirects are not
/// followed, as by the gateway itself.
enum OnlineProbe {
    private static let limit = TimeAmount.seconds(5)
    private static let largestBody = 1 << 20

    /// The report of the files, with the findings of the rules that need the network.
    static func report(_ sources: [(source: SourceFile, surroundings: Surroundings)]) async -> Report {
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        var answers: [OnlineAnswers] = []
        for (source, surroundings) in sources {
            answers.append(await gather(OnlinePlan(source, surroundings: surroundings), client))
        }
        // Nothing is in flight.
        try? await client.shutdown()
        return Linter.check(files: sources, answers: answers)
    }

    private static var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.proxy = nil
        configuration.timeout.connect = limit
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }

    private static func gather(_ plan: OnlinePlan, _ client: HTTPClient) async -> OnlineAnswers {
        var answers = OnlineAnswers()
        await withTaskGroup(of: (String, OnlineAnswers.Provider).self) { group in
            for provider in plan.providers {
                group.addTask {
                    var own = OnlineAnswers.Provider()
                    if let url = provider.discoveryURL { own.discovery = await fetch(url, client) }
                    if let url = provider.keysURL(discovery: own.discovery) { own.keys = await fetch(url, client) }
                    return (provider.id, own)
                }
            }
            for await (id, own) in group { answers.providers[id] = own }
        }
        await withTaskGroup(of: (OnlineUpstream, String?).self) { group in
            for upstream in plan.upstreams {
                group.addTask { (upstream, await failure(at: upstream.address, upstream.tls, limit: .seconds(5))) }
            }
            for await (upstream, reason) in group { answers.unreachableUpstreams[upstream] = reason }
        }
        if let store = plan.store { answers.unreachableStore = await failure(of: store) }
        if let store = plan.accountStore { answers.accountStore = await AccountStoreCheck().state(of: store) }
        return answers
    }

    /// Why an upstream cannot be used; nil when it can.
    static func failure(at address: UpstreamAddress, _ tls: UpstreamTLSConfiguration, limit: Duration) async -> String? {
        if let reason = await ConnectionProbe.failure(at: address.endpoint, limit: limit) { return reason }
        // Behind TCP: TLS with certificate and name, and whether HTTP/2 is spoken where it must be.
        guard address.scheme != .http else { return nil }
        return await UpstreamCheck.failure(at: address, tls, milliseconds: limit.components.seconds * 1000)
    }

    /// The reason why a session store cannot be used; nil if it can. Its version goes to standard error.
    private static func failure(of store: SessionStoreConfiguration) async -> String? {
        do throws(RedisURL.Problem) {
            switch await RedisCheck.version(of: try RedisSettings(store), limit: .seconds(5), group: MultiThreadedEventLoopGroup.singleton)
            {
            case .usable(let version):
                Terminal.say("gateway: the session store is \(version)")
                return nil
            case .unusable(let reason): return reason
            }
        } catch {
            return "its URL \(error.rawValue)"
        }
    }

    private static func fetch(_ url: String, _ client: HTTPClient) async -> OnlineAnswers.Fetch {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "User-Agent", value: "gateway-validate")
        request.headers.add(name: "Accept", value: "application/json")
        do {
            let response = try await client.execute(request, timeout: limit)
            let receivedAt = now()
            let body = try await response.body.collect(upTo: largestBody)
            return .answer(
                status: Int(response.status.code), body: Array(body.readableBytesView), date: response.headers.first(name: "Date"),
                receivedAt: receivedAt)
        } catch let error as HTTPClientError {
            let late: [HTTPClientError] = [
                .deadlineExceeded, .connectTimeout, .readTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout,
            ]
            return .failure(reason: late.contains(error) ? "no answer within 5 s" : "no connection: \(error.shortDescription)")
        } catch is NIOTooManyBytesError {
            return .failure(reason: "the answer is larger than 1 MiB")
        } catch {
            return .failure(reason: reason(of: error))
        }
    }

    /// Never the error's own description, which can hold a path of the TLS library's source.
    static func reason(of error: any Error) -> String {
        if let error = error as? HTTPClientError { return error.shortDescription }
        let text = String(describing: error)
        if text.contains("Connection refused") || text.contains("ECONNREFUSED") { return "connection refused" }
        if text.contains("dnsAError: Optional") { return "its name cannot be resolved" }
        if text.contains("CERTIFICATE_VERIFY_FAILED") { return "its certificate is not trusted" }
        if text.contains("handshakeFailed") { return "no TLS connection" }
        return "no connection (\(type(of: error)))"
    }

    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
