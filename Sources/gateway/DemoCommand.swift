import ArgumentParser
import Config
import DevProvider
import Diagnostics
import Glibc
import Lint
import Runtime
import TokenCrypto

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Try it: a local identity provider, an example app, and the gateway in front. No network needed.")

    @Option(help: "The port to open in the browser; 0 lets the system choose.")
    var port: UInt16 = 4180

    @Flag(help: "Log every event, not only problems.")
    var verbose = false

    func run() async throws {
        let gatewayPort = port == 0 ? DemoServers.freePort() : Int(port)
        let demo: Demo
        do throws(Demo.StartFailure) {
            demo = try await Demo.start(gatewayPort: gatewayPort, verbose: verbose, load: Self.load)
        } catch {
            Terminal.say("gateway: \(error.message)")
            Terminal.say("help: choose another port with `gateway demo --port 8080`")
            throw ExitStatus.cannotBind
        }
        let people = demo.people.joined(separator: ", ")
        print(
            """

              The demo is ready. Open

                  \(demo.address)

              and sign in as one of: \(people).
              The page you then see is an app without a sign-in of its own; it shows the
              headers that the gateway sent it. /health is public, /admin is for admins.

              Everything runs on this machine and nobody in it is real. Ctrl-C ends it.

            """)
        fflush(nil)
        await demo.serve()
    }

    /// The demo's configuration goes the way of every other: through the linter.
    private static func load(_ demo: DemoConfiguration, _ key: String) throws(Demo.StartFailure) -> Configuration {
        let surroundings = Surroundings(
            variable: { _ in nil },
            file: { _ in .contents(Array(key.utf8), FileFacts(permissions: 0o600)) })
        switch ConfigLoader.load(SourceFile(name: "demo.yaml", text: demo.yaml), surroundings: surroundings) {
        case .success(let loaded): return loaded.configuration
        case .failure(let refusal):
            throw Demo.StartFailure(message: "the demo's own configuration is refused:\n" + TextRenderer().render(refusal.report))
        }
    }
}
