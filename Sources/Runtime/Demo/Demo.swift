package import Config
package import DevProvider
import Glibc
import Logging
import TokenCrypto

/// What `gateway demo` runs: a local provider, an example app, the gateway in front. All on loopback.
package struct Demo: Sendable {
    package struct StartFailure: Error, Sendable {
        package var message: String
        package init(message: String) { self.message = message }
    }

    /// What to open in a browser.
    package let address: String
    package let people: [String]
    private let provider: ProgramServer
    private let app: ProgramServer
    private let gateway: GatewayProcess

    /// `load`: turns the demo's configuration text into a configuration, given the contents of its key file.
    package static func start(
        gatewayPort: Int, verbose: Bool = false,
        load: (DemoConfiguration, String) throws(StartFailure) -> Configuration
    ) async throws(StartFailure) -> Demo {
        let app = ExampleApp()
        let providerPort = DemoServers.freePort()
        let appServer: ProgramServer
        let providerServer: ProgramServer
        let demo: DemoConfiguration
        do {
            appServer = try await ProgramServer(port: 0) { app.respond(to: $0) }
            demo = DemoConfiguration(
                gatewayPort: gatewayPort, providerPort: providerPort, appPort: appServer.port, adminPort: DemoServers.freePort(),
                keyFile: "session.key", clientSecret: Base64URL.encode(SecureRandom.bytes(24)))
            let logic = DevProvider(demo.provider)
            providerServer = try await ProgramServer(port: providerPort) { logic.respond(to: $0, now: wallClock()) }
        } catch {
            throw StartFailure(message: "the demo's parts cannot listen on 127.0.0.1: \(error)")
        }
        var configuration = try load(demo, Base64.encode(SecureRandom.bytes(32)))
        // Standard output shows the address to open.
        configuration.logging.access.isEnabled = false
        let writer = LogWriter(descriptor: STDERR_FILENO)
        let log = EventLog(level: verbose ? .info : .warning, format: .text, writer: writer)
        do throws(GatewayProcess.StartFailure) {
            let gateway = try await GatewayProcess.start(configuration, log: log, writer: writer, version: ProgramVersion("demo"))
            return Demo(
                address: demo.publicURL + "/", people: demo.provider.people.map(\.id), provider: providerServer, app: appServer,
                gateway: gateway)
        } catch {
            switch error {
            case .cannotBind(let address, let reason): throw StartFailure(message: "cannot listen on \(address): \(reason)")
            case .configuration(let reason): throw StartFailure(message: reason)
            }
        }
    }

    /// Until SIGTERM or SIGINT.
    package func serve() async {
        await gateway.serve()
        await provider.stop()
        await app.stop()
    }
}
