package import Config
package import DevProvider
import Glibc
import Logging
import Primitives
import Process
import Runtime
import Telemetry
import TokenCrypto

/// The servers of `gateway demo`: a local provider and the gateway, in front of an example app or of the user's own app. They listen on
/// loopback.
package struct Demo: Sendable {
    package struct StartFailure: Error, Sendable {
        package enum Cause: Sendable {
            /// An address cannot be bound.
            case address
            /// The gateway refuses the configuration; the demo's own is valid, so the user's upstream is not.
            case configuration
        }

        package var cause: Cause
        package var message: String
        package var help: String?

        package init(_ cause: Cause, message: String, help: String?) {
            self.cause = cause
            self.message = message
            self.help = help
        }
    }

    /// The address to open in a browser.
    package let address: String
    package let users: [Person]
    /// Where the gateway forwards to.
    package let upstream: UpstreamConfiguration?
    private let provider: ProgramServer
    /// nil: the user's own app runs elsewhere.
    private let exampleApp: ProgramServer?
    private let gateway: GatewayProcess

    /// `upstream`: the user's own app; nil: the example app. `load`: turns the demo's configuration text into a configuration, given the
    /// contents of its key file.
    package static func start(
        gatewayPort: Int, upstream: String? = nil, verbose: Bool = false,
        load: (DemoConfiguration, String) throws(StartFailure) -> Configuration
    ) async throws(StartFailure) -> Demo {
        let demo: DemoConfiguration
        let exampleApp: ProgramServer?
        let provider: ProgramServer
        do {
            exampleApp = upstream == nil ? try await exampleServer() : nil
            demo = DemoConfiguration(
                gatewayPort: gatewayPort, providerPort: DemoServers.freePort(),
                app: upstream.map { .own(upstream: $0) } ?? .example(port: exampleApp?.port ?? 0),
                adminPort: DemoServers.freePort(), keyFile: "session.key", clientSecret: Base64URL.encode(SecureRandom.bytes(24)))
            let logic = DevProvider(demo.provider)
            provider = try await ProgramServer(port: demo.providerPort) { logic.respond(to: $0, now: wallClock()) }
        } catch {
            throw StartFailure(.address, message: "cannot listen on a free port of 127.0.0.1: \(error)", help: nil)
        }
        var configuration = try load(demo, Base64.encode(SecureRandom.bytes(32)))
        // Standard output shows the address to open.
        configuration.logging.access.isEnabled = false
        let writer = LogWriter(descriptor: STDERR_FILENO)
        let log = EventLog(level: verbose ? .info : .warning, format: .text, writer: writer)
        do throws(GatewayProcess.StartFailure) {
            let gateway = try await GatewayProcess.start(configuration, log: log, writer: writer, version: ProgramVersion("demo"))
            return Demo(
                address: demo.publicURL + "/", users: demo.provider.people, upstream: configuration.upstream, provider: provider,
                exampleApp: exampleApp, gateway: gateway)
        } catch {
            switch error {
            case .cannotBind(let problem):
                throw StartFailure(.address, message: problem.summary, help: "choose another port with `gateway demo --port 8080`")
            case .configuration(let reason): throw StartFailure(.configuration, message: reason, help: nil)
            }
        }
    }

    private static func exampleServer() async throws -> ProgramServer {
        let app = ExampleApp()
        return try await ProgramServer(port: 0) { app.respond(to: $0) }
    }

    /// Until SIGTERM or SIGINT.
    package func serve() async {
        await gateway.serve()
        await provider.stop()
        await exampleApp?.stop()
    }
}
