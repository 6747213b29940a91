import Config
import Diagnostics
import Testing

/// A machine without variables and files, on which some references are optional.
private func read(_ text: String, optional references: OptionalReferences) -> ConfigReader.Reading {
    let bare = Surroundings(variable: { _ in nil }, file: { _ in .unreadable(reason: "no such file") })
    return ConfigReader.read(SourceFile(name: "gateway.yaml", text: text), surroundings: bare.optional(references))
}

@Suite struct OptionalReferenceTests {
    private static let file = """
        version: 1
        server: { publicURL: "${env:PUBLIC_URL}" }
        session: { keys: ["${file:./session.key}"] }
        providers: [{ id: oidc.a, clientID: "${env:ID}", clientSecret: "${env:SECRET}", displayName: "${env:NAME}" }]
        requestHeaders: { set: { X-Api-Key: "Bearer ${env:API_KEY}" } }

        """

    @Test func `Without optional references each one is reported`() {
        #expect(findings(read(Self.file, optional: .none)).count == 6)
    }

    @Test func `Credentials and header values may stay unresolved; what others decide is reported`() {
        let reading = read(Self.file, optional: .credentials)
        #expect(findings(reading) == ["unresolved-reference 2:23", "unresolved-reference 4:95"])
    }

    @Test func `An unresolved secret is present, so the client still authenticates with it`() {
        let draft = read(Self.file, optional: .credentials).draft
        #expect(draft.providers.first?.clientSecret != nil)
        #expect(draft.providers.first?.clientID == "")
        #expect(draft.session.keys.isEmpty)
    }

    @Test func `An unresolved header value stands as it is written`() {
        let headers = read(Self.file, optional: .credentials).draft.everywhere.requestHeaders
        #expect(headers?.set.map(\.value) == ["Bearer ${env:API_KEY}"])
    }

    @Test func `All references may be optional`() throws {
        let reading = read(Self.file, optional: .all)
        #expect(findings(reading) == [])
        let server = try #require(reading.document.root?["server"]?.object)
        #expect(server["publicURL"]?.unresolved?.findings.map(\.message) == ["the environment variable `PUBLIC_URL` is not set"])
    }

    @Test(
        "A malformed reference is reported, optional or not",
        arguments: ["${SECRET}", "${env:}", "${env:A:b}", "${env:SECRET", "${env:SET} ${vault:x}"])
    func malformed(written: String) {
        let text = "version: 1\nproviders: [{ id: oidc.a, clientID: a, clientSecret: '\(written)' }]\n"
        #expect(read(text, optional: .all).diagnostics.contains { $0.rule == .unresolvedReference })
    }
}
