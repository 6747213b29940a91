import Testing

@testable import Telemetry

@Suite("The answer of /readyz")
struct ReadinessTests {
    @Test("readiness tells each check and its verdict")
    func readiness() {
        var readiness = Readiness(checks: [.init(name: "configuration", isPassing: true, isRequired: true, detail: "")])
        readiness.checks.append(.init(name: "provider oidc.a", isPassing: false, isRequired: false, detail: "no answer"))
        #expect(readiness.isReady)
        #expect(readiness.verboseText.contains("[-]provider oidc.a failed: no answer"))
        readiness.checks.append(.init(name: "upstream http://a", isPassing: true, isRequired: false, detail: "last error 3 s ago: 503"))
        #expect(readiness.verboseText.contains("[+]upstream http://a ok; last error 3 s ago: 503\n"))
        readiness.checks.append(.init(name: "shutdown", isPassing: false, isRequired: true, detail: "draining"))
        #expect(!readiness.isReady)
    }
}
