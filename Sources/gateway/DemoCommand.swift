import ArgumentParser
import Config
import DevProvider
import Diagnostics
import Glibc
import Lint
import Demo

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract:
            "Try it without an account anywhere: two local identity providers and the gateway, in front of an example app or your own.",
        discussion: """
            Everything listens on this machine only. Users can sign in with either provider, link the other to their account, or register \
            with an e-mail address; the demo prints the mails. Accounts last until the demo stops.

            `gateway demo --upstream http://localhost:3000` puts the sign-in in front of your \
            own app; the app may start later.
            """)

    @Option(help: "The port to open in the browser; 0 lets the system choose.")
    var port: UInt16 = 4180

    @Option(help: "The address of your own app, such as http://localhost:3000. Default: an example app.")
    var upstream: String?

    @Flag(help: "Log every event, not only problems.")
    var verbose = false

    func run() async throws {
        let gatewayPort = port == 0 ? DemoServers.freePort() : Int(port)
        let demo: Demo
        do throws(Demo.StartFailure) {
            demo = try await Demo.start(
                gatewayPort: gatewayPort, upstream: upstream, verbose: verbose, receive: Self.show, load: Self.load)
        } catch {
            switch error.cause {
            case .folder:
                Terminal.say("gateway: \(error.message)")
                if let help = error.help { Terminal.say("help: \(help)") }
                throw ExitCode.failure
            case .address:
                Terminal.say("gateway: \(error.message)")
                if let help = error.help { Terminal.say("help: \(help)") }
                throw ExitStatus.cannotBind
            case .configuration:
                throw Terminal.usageError((upstream == nil ? "" : "--upstream: ") + error.message, help: error.help)
            }
        }
        print(DemoText.welcome(to: demo.address, users: demo.users, upstream: upstream, hasPasswords: demo.hasPasswords))
        fflush(nil)
        if let upstream, let reason = await Self.reachabilityProblem(of: demo.upstream) {
            print("  \(upstream) does not answer yet (\(reason)).\n  Start your app; the gateway forwards the next request to it.\n")
        }
        fflush(nil)
        await demo.serve()
    }

    private static func reachabilityProblem(of upstream: UpstreamConfiguration?) async -> String? {
        guard let upstream, let target = upstream.targets.first else { return nil }
        return await OnlineProbe.failure(at: target, upstream.tls, limit: .seconds(2))
    }

    private static func show(_ mail: CaughtMail) {
        print(DemoText.mail(mail))
        fflush(nil)
    }

    /// The demo's configuration is linted like every other.
    private static func load(_ demo: DemoConfiguration, _ keys: [String: String]) throws(Demo.StartFailure) -> Configuration {
        let surroundings = Surroundings(
            variable: { _ in nil },
            file: { path in
                keys[path].map { .contents(Array($0.utf8), FileFacts(permissions: 0o600)) } ?? .unreadable(reason: "no such file")
            })
        switch ConfigLoader.load(SourceFile(name: "demo.yaml", text: demo.yaml), surroundings: surroundings) {
        case .success(let loaded): return loaded.configuration
        case .failure(let refusal):
            let errors = refusal.report.files.flatMap(\.diagnostics).filter { $0.severity == .error }
            throw Demo.StartFailure(
                .configuration, message: errors.first?.message ?? "the gateway cannot use this address", help: errors.first?.help)
        }
    }
}
