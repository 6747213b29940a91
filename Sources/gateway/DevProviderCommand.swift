import ArgumentParser
import Config
import DevProvider
import Glibc
import Lint
import Runtime
import TokenCrypto

/// The local identity provider by itself, for tests and benchmarks.
struct DevProviderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev-provider", abstract: "Serve the local identity provider by itself, on loopback.", shouldDisplay: false)

    @Option(help: "The port; 0 lets the system choose.")
    var port: UInt16 = 0

    @Flag(help: "Serve POST /_control, by which a test makes the provider misbehave.")
    var control = false

    @Option(help: "The one client's ID.")
    var clientID = "dev"

    @Option(help: "The one client's secret.")
    var clientSecret = "dev-secret"

    @Option(name: .customLong("as"), help: "Whose habits to take on: yahoo, google, apple, microsoft or facebook.")
    var emulation: String?

    @Option(help: "A PEM file with the key that the one client signs with.")
    var clientKey: String?

    func run() async throws {
        let server: ProgramServer
        do {
            var options = DevServerOptions(port: Int(port), control: control, clientID: clientID, clientSecret: clientSecret)
            options.emulation = try emulation.map { name in
                guard let emulation = Emulation(rawValue: name) else { throw ValidationError("--as \(name): nobody known here") }
                return emulation
            }
            if let clientKey {
                guard case .contents(let pem, _) = SystemFile.read(clientKey),
                    let key = try? SigningKey(pem: String(decoding: pem, as: UTF8.self), algorithm: .es256)
                else { throw ValidationError("--client-key \(clientKey): no P-256 key in PEM") }
                options.clientKey = key
            }
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
