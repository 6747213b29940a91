import ArgumentParser
import DevProvider
import Glibc
import Runtime

/// The local identity provider by itself, for tests and benchmarks.
struct DevProviderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev-provider", abstract: "Serve the local identity provider by itself, on loopback.", shouldDisplay: false)

    @Option(help: "The port; 0 lets the system choose.")
    var port = 0

    @Flag(help: "Serve POST /_control, by which a test makes the provider misbehave.")
    var control = false

    @Option(help: "The one client's ID.")
    var clientID = "dev"

    @Option(help: "The one client's secret.")
    var clientSecret = "dev-secret"

    func run() async throws {
        let server: ProgramServer
        do {
            let options = DevServerOptions(port: port, control: control, clientID: clientID, clientSecret: clientSecret)
            server = try await DemoServers.provider(options)
        } catch {
            Terminal.say("gateway: cannot listen on 127.0.0.1:\(port): \(error)")
            throw ExitStatus.cannotBind
        }
        Terminal.say("ready http://127.0.0.1:\(server.port)")
        await DemoServers.untilStopped()
        await server.stop()
    }
}
