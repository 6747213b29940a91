import NIOHTTP1
import ArgumentParser
import AsyncHTTPClient
import NIOCore

struct HealthcheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck", abstract: "Exit with 0 if the gateway is ready, for images without curl.")

    @Argument(help: "The URL of the readiness check.")
    var url = "http://127.0.0.1:9180/readyz"

    func run() async throws {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "User-Agent", value: "gateway-healthcheck")
        do {
            let response = try await HTTPClient.shared.execute(request, timeout: .seconds(5))
            let body = try await response.body.collect(upTo: 64 * 1024)
            guard response.status == .ok else {
                Terminal.say("gateway: not ready: \(url) answered \(response.status.code): \(String(buffer: body))")
                throw ExitCode(1)
            }
        } catch let code as ExitCode {
            throw code
        } catch {
            Terminal.say("gateway: not ready: no answer from \(url): \(OnlineProbe.reason(of: error))")
            throw ExitCode(1)
        }
    }
}
