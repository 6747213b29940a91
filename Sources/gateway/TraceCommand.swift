import ArgumentParser
import Config
import Diagnostics
import Glibc
import Lint
import Runtime

struct TraceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace", abstract: "Explain what a configuration would do with a request, without sending one.",
        discussion: """
            Prints the canonical path, the route that matches, what each condition of its rule says, and the head that the upstream \
            would get. Nothing is served and nobody is asked.

              gateway trace GET /reports/2026
              gateway trace GET https://app.example.com/admin --as claims.json
              gateway trace GET / --browser --config gateway.yaml

            The claims are those of an ID token: {"sub": "1", "email": "a@example.com", "email_verified": true, "groups": ["staff"]}; \
            `auth_time` (Unix seconds) makes the sign-in older. They are taken as they are: nothing is verified.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

    @Argument(help: "The method, for instance GET.") var method: String
    @Argument(help: "A path with its query, or a whole URL.") var url: String
    @Argument(help: "The configuration file. Default: the file that `gateway run` would take.") var config: String?
    @Option(name: .customLong("as"), help: "A JSON file with the claims of the person who asks; - reads standard input. Default: nobody.")
    var claims: String?
    @Option(help: "Whose claims they are; needed when there are several providers.") var provider: String?
    @Option(name: [.customShort("H"), .long], parsing: .singleValue, help: "A header of the request, `Name: value`; may be repeated.")
    var header: [String] = []
    @Option(help: "The client's address.") var from = "203.0.113.1"
    @Flag(help: "Ask as a browser that opens a page.") var browser = false
    @Option(help: "How to print it: text or json.") var format = Format.text

    func run() throws {
        let path = ConfigurationPath.resolve(config)
        let source: SourceFile
        switch ConfigurationPath.read(path) {
        case .success(let read): source = read
        case .failure(let failure):
            Terminal.say("gateway: cannot read \(failure.path): \(failure.reason)")
            throw ExitCode(1)
        }
        let configuration: Configuration
        switch ConfigLoader.load(source, surroundings: .system(forFile: path)) {
        case .success(let loaded): configuration = loaded.configuration
        case .failure(let refusal):
            Terminal.say(TextRenderer(color: ColorChoice.auto.isOn(for: STDERR_FILENO), columns: Terminal.columns).render(refusal.report))
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
            print(format == .json ? explanation.json : explanation.text(file: path), terminator: "")
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
