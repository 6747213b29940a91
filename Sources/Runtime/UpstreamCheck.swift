package import Config
import NIOCore
import Proxy
import Transport

/// What `gateway validate --online` learns about one target.
package enum UpstreamCheck {
    /// A few words about why the target cannot be used; nil when it can.
    package static func failure(at address: UpstreamAddress, _ tls: UpstreamTLSConfiguration, milliseconds: Int64) async -> String? {
        var upstream = UpstreamConfiguration(targets: [address])
        upstream.tls = tls
        let definition: UpstreamDefinition
        do throws(UpstreamTLSProblem) {
            guard let first = try UpstreamDefinition.all(of: [upstream]).first else { return nil }
            definition = first
        } catch {
            return error.description
        }
        guard let group = try? SocketLoopGroup(count: 1) else { return "the system gives no thread to try it with" }
        let failure = await UpstreamProbe.failure(at: definition.targets[0], within: milliseconds, on: group.next())
        try? await group.shutdownGracefully()
        return failure.map { $0.detail.isEmpty ? words($0.reason) : $0.detail }
    }

    private static func words(_ reason: UpstreamFailure) -> String {
        switch reason {
        case .connectTimeout: "no answer in time"
        case .nameUnresolved: "the name cannot be resolved"
        case .connectFailed: "no connection"
        default: reason.rawValue
        }
    }
}
