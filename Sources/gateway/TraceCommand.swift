import ArgumentParser
import Config
import Diagnostics
import Glibc
import Lint
import Explain

struct TraceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace", abstract: "Show what the gateway would do with a request.",
        usage: "gateway trace [<options>] <method> <url> [<config>]",
        discussion: """
            Prints the canonical path, the route that matches, the result of each access condition, and the request head that \
            the upstream would receive. Sends nothing and opens no connection; secrets and client IDs need not be on this machine.

              gateway trace GET /reports/2026
              gateway trace GET https://app.example.com/admin --as claims.json
              gateway trace GET / gateway.yaml --browser

            --as signs a user in with the claims of an ID token, which are not verified: {"sub": "1", "email": "a@example.com", \
            "email_verified": true, "groups": ["staff"]}. The claim `auth_time` (Unix seconds) sets the time of the sign-in.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

    @Argument(help: "The method, such as GET.") var method: String
    @Argument(help: "A path with its query, or a URL.") var url: String
    @Argument(help: "The configuration file; - reads standard input. Default: the file that `gateway run` reads.") var config: String?
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("A JSON file with the user's claims; - reads standard input. Default: not signed in.", valueName: "file"))
    var claims: String?
    @Option(help: ArgumentHelp("The provider that the claims come from; required with several providers.", valueName: "id")) var provider:
        String?
    @Option(name: [.customShort("H"), .long], parsing: .singleValue, help: "A request header, `Name: value`. Repeatable.")
    var header: [String] = []
    @Option(help: ArgumentHelp("The client's IP address.", valueName: "address")) var from = "203.0.113.1"
    @Flag(help: "Send the headers of a browser that opens a page.") var browser = false
    @Option(help: "The output format.") var format = Format.text

    func run() throws {
        let location = ConfigurationPath(argument: config)
        let configuration: Configuration
        switch ConfigLoader.load(try location.contents(), surroundings: location.surroundings.optional(.credentials)) {
        case .success(let loaded): configuration = loaded.configuration
        case .failure(let refusal):
            Terminal.say(refusal.report)
            throw ExitCode(1)
        }
        var question = RequestExplainer.Question(method: method, target: url)
        question.headers = header
        if browser { question.headers += ["Sec-Fetch-Mode: navigate", "Accept: text/html"] }
        question.provider = provider
        question.client = from
        question.claims = try readClaims()
        do throws(RequestExplainer.Failure) {
            let explanation = try RequestExplainer(configuration).explain(question, now: Int64(time(nil)) * 1_000)
            print(format == .json ? explanation.json : explanation.text(file: location.path), terminator: "")
        } catch {
            Terminal.say("gateway: \(error.message)")
            throw ExitCode(1)
        }
    }

    private func readClaims() throws -> [UInt8]? {
        guard let claims else { return nil }
        switch claims == "-" ? SystemFile.readStandardInput() : SystemFile.read(claims) {
        case .contents(let bytes, _): return bytes
        case .unreadable(let reason):
            Terminal.say("gateway: cannot read the claims \(claims): \(reason)")
            throw ExitCode(1)
        }
    }
}
