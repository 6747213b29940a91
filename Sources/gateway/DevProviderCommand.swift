import ArgumentParser
import Config
import DevProvider
import Glibc
import Lint
import Demo
import TokenCrypto

/// The demo's identity provider alone, for tests and benchmarks.
struct DevProviderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev-provider", abstract: "Run the demo's identity provider alone, on loopback.", shouldDisplay: false)

    @Option(help: "The port; 0: a free one.")
    var port: UInt16 = 0

    @Flag(help: "Serve POST /_control, with which tests inject faults.")
    var control = false

    @Option(help: "The client's ID.")
    var clientID = "dev"

    @Option(help: "The client's secret.")
    var clientSecret = "dev-secret"

    @Option(name: .customLong("as"), help: "The provider to emulate: yahoo, google, apple, microsoft or facebook.")
    var emulation: String?

    @Option(help: "A PEM file with the client's P-256 key.")
    var clientKey: String?

    func run() async throws {
        let server: ProgramServer
        do {
            var options = DevServerOptions(port: Int(port), control: control, clientID: clientID, clientSecret: clientSecret)
            options.emulation = try emulation.map { name in
                guard let emulation = Emulation(rawValue: name) else { throw ValidationError("--as \(name): unknown provider") }
                return emulation
            }
            if let clientKey {
                guard case .contents(let pem, _) = SystemFile.read(clientKey),
                    let key = try? SigningKey(pem: String(decoding: pem, as: UTF8.self), algorithm: .es256)
                else { throw ValidationError("--client-key \(clientKey): not a P-256 key in PEM") }
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
