package import Config
import NIOCore
import Proxy
import Transport

/// The check of one target by `gateway validate --online`.
package enum UpstreamCheck {
    /// The cause why the target cannot be used; nil when it can.
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
        guard let group = try? SocketLoopGroup(count: 1) else { return "the system has no thread for the check" }
        let failure = await UpstreamProbe.failure(at: definition.targets[0], within: milliseconds, on: group.next())
        try? await group.shutdownGracefully()
        return failure.map { $0.detail.isEmpty ? $0.reason.rawValue : $0.detail }
    }
}
