import DevProvider
import Testing
import TokenCrypto

@Suite struct ControlTests {
    private func post(_ provider: DevProvider, _ json: String, type: String = "application/json") -> DevResponse {
        provider.respond(
            to: DevRequest(method: "POST", path: "/_control", headers: [("Content-Type", type)], body: Array(json.utf8)), now: now)
    }

    @Test func `it sets faults, chooses who signs in, and reads counters`() {
        let provider = makeProvider()
        let client = TestClient(provider: provider)
        let answer = post(provider, #"{"faults":["id-token.expired","userinfo.503"],"signIn":"bob","resetCounters":true}"#)
        #expect(answer.status == 200)
        #expect(provider.faults == [.idToken(.expired), .answer(.userinfo, .unavailable)])
        #expect(provider.automaticPerson == "bob")
        _ = client.signIn()
        _ = client.signIn()
        let report = client.send("GET", "/_control").json
        #expect(report?["counters"]?["token"]?.integer == 2)
        #expect(report?["counters"]?["authorization"]?.integer == 2)
        #expect(report?["counters"]?["refresh"]?.integer == 0)
        #expect(report?["knownFaults"]?.array?.count == Fault.all.count)
        #expect(post(provider, #"{"faults":[],"signIn":null}"#).json?["faults"] == .array([]))
        #expect(provider.automaticPerson == nil)
    }

    @Test func `it rotates keys, revokes everything and sets how slow slow is`() throws {
        let provider = makeProvider()
        let client = TestClient(provider: provider)
        let token = client.signIn()["refresh_token"]
        #expect(post(provider, #"{"rotateKeys":true,"revokeEverything":true,"slowMilliseconds":50,"faults":["jwks.slow"]}"#).status == 200)
        let set = client.send("GET", "/jwks")
        #expect(set.json?["keys"]?.array?.count == 2)
        #expect(set.pace == .after(milliseconds: 50))
        #expect(client.refresh(token).errorCode == "invalid_grant")
    }

    @Test(arguments: [
        #"{"faults":["no-such"]}"#, #"{"faults":"id-token.expired"}"#, #"{"signIn":"mallory"}"#, #"{"signIn":7}"#, #"{"unknown":1}"#, "[]",
        "",
        "{", #"{"slowMilliseconds":-1}"#, #"{"rotateKeys":"yes"}"#,
    ])
    func `what it does not understand changes nothing`(body: String) {
        let provider = makeProvider(faults: [.idToken(.expired)])
        #expect(post(provider, body).status == 400)
        #expect(provider.faults == [.idToken(.expired)])
        #expect(provider.automaticPerson == "alice")
    }

    @Test func `a refused member takes the good ones beside it along`() {
        let provider = makeProvider()
        #expect(post(provider, #"{"faults":["id-token.expired"],"signIn":"mallory"}"#).status == 400)
        #expect(provider.faults.isEmpty)
    }

    @Test func `a form from a web page cannot reach it`() {
        let provider = makeProvider()
        #expect(post(provider, #"{"signIn":"bob"}"#, type: "text/plain").status == 400)
        #expect(post(provider, #"{"signIn":"bob"}"#, type: "application/x-www-form-urlencoded").status == 400)
        #expect(provider.automaticPerson == "alice")
    }

    @Test func `it does not exist unless it is enabled`() {
        var options = makeOptions()
        options.controlEnabled = false
        let provider = DevProvider(options)
        #expect(post(provider, "{}").status == 404)
        #expect(provider.respond(to: DevRequest(method: "GET", path: "/_control"), now: now).status == 404)
    }
}
