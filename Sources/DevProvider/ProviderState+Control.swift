import TokenCrypto

extension ProviderState {
    /// `GET` reads, `POST` with JSON changes and reads. A browser cannot be made to post here from another page, because
    /// `application/json` needs a preflight that is never answered.
    ///
    /// Members of a POST, all optional: `faults` (list of names, replaces), `signIn` (a user's id or null), `slowMilliseconds`, `groups` (lists of names by a user's id),
    /// `accessTokens`, `pushedAuthorization`, `dpop` (as in `DevProviderOptions`), `logoutToken` (`person`, `client`, `sid`: one is made and
    /// returned), `accessTokenLifetime` (seconds), `rotateKeys`, `revokeEverything`, `resetCounters` (booleans). Anything else is refused and nothing is changed.
    mutating func control(_ request: DevRequest, _ now: Int64) -> DevResponse {
        controlAnswer = .null
        controlTime = now
        if request.method == "GET" { return controlReport() }
        guard request.method == "POST" else { return .methodNotAllowed("GET, POST") }
        let type = request.header("Content-Type")?.split(separator: ";").first.map { $0.lowercased() }
        guard type == "application/json", let value = try? JSONValue(parsing: request.body), let members = value.object else {
            return refusedControl("the body must be a JSON object sent as application/json")
        }
        var changed = self
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            if let problem = changed.set(name, value) { return refusedControl(problem) }
        }
        self = changed
        return controlReport()
    }

    /// What is wrong with the member; nil when it was taken.
    private mutating func set(_ name: String, _ value: JSONValue) -> String? {
        switch (name, value) {
        case ("faults", .array(let names)):
            var chosen: Set<Fault> = []
            for entry in names {
                guard let fault = entry.string.flatMap(Fault.init(name:)) else {
                    return "there is no such fault; GET /_control lists the known ones"
                }
                chosen.insert(fault)
            }
            faults = chosen
        case ("signIn", .null): automaticPerson = nil
        case ("signIn", .string(let id)):
            guard person(id) != nil else { return "signIn names nobody" }
            automaticPerson = id
        case ("groups", .object(let groups)):
            for (id, names) in groups {
                guard let index = options.people.firstIndex(where: { $0.id == id }), let list = names.array else {
                    return "groups names nobody"
                }
                options.people[index].groups = list.compactMap(\.string)
            }
        case ("slowMilliseconds", .integer(let milliseconds)) where (0...600_000).contains(milliseconds): slowness = milliseconds
        case ("accessTokenLifetime", .integer(let seconds)) where (1...86_400).contains(seconds): options.lifetimes.accessToken = seconds
        case ("accessTokens", .string(let name)):
            guard let format = DevProviderOptions.AccessTokens(rawValue: name) else { return "accessTokens is opaque or jwt" }
            options.accessTokens = format
        case ("pushedAuthorization", .string(let name)):
            guard let offer = DevProviderOptions.Offer(rawValue: name) else { return "pushedAuthorization is off, offered or required" }
            options.pushedAuthorization = offer
        case ("dpop", .string(let name)):
            guard let offer = DevProviderOptions.SenderConstraint(rawValue: name) else { return "dpop is off, offered, required or nonce" }
            options.dpop = offer
        case ("logoutToken", .object(let wanted)):
            guard let person = wanted["person"]?.string.flatMap({ person($0) }), let clientID = wanted["client"]?.string else {
                return "logoutToken names nobody"
            }
            controlAnswer = .string(
                logoutToken(subject: emulatedSubject(person), clientID: clientID, sessionID: wanted["sid"]?.string, now: controlTime))
        case ("rotateKeys", .bool(let isAsked)): if isAsked { keyChain.rotate() }
        case ("revokeEverything", .bool(let isAsked)): if isAsked { memory = ProviderMemory() }
        case ("resetCounters", .bool(let isAsked)): if isAsked { counters = [:] }
        default: return "unknown member, or a value of the wrong kind"
        }
        return nil
    }

    private func refusedControl(_ problem: String) -> DevResponse { .json(.texts(["problem": problem]), status: 400) }

    private func controlReport() -> DevResponse {
        let counted = Endpoint.allCases.map { ($0.rawValue, JSONValue.integer(Int64(counters[$0] ?? 0))) }
        return .json(
            .object([
                "counters": .object(Dictionary(counted, uniquingKeysWith: { first, _ in first })),
                "faults": .strings(faults.map(\.name).sorted()),
                "knownFaults": .strings(Fault.all.map(\.name)),
                "signIn": automaticPerson.map(JSONValue.string) ?? .null,
                "people": .strings(options.people.map(\.id)),
                "slowMilliseconds": .integer(slowness),
                "logoutToken": controlAnswer,
            ]))
    }
}
