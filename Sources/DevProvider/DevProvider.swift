import Synchronization

/// A local OpenID provider, with a plain OAuth 2.0 side that behaves like github.com, for demos and tests.
///
/// Pure: no sockets, no clock. An HTTP server hands requests to `respond(to:now:)` and sends its responses. It keeps
/// everything in memory, asks for no password, and misbehaves on request (`Fault`). Never use it in production.
package final class DevProvider: Sendable {
    private let state: Mutex<ProviderState>
    package let issuer: String

    package init(_ options: DevProviderOptions) {
        issuer = options.issuer
        state = Mutex(ProviderState(options))
    }

    /// - Parameter now: Unix milliseconds.
    package func respond(to request: DevRequest, now: Int64) -> DevResponse {
        state.withLock { $0.respond(to: request, now: now) }
    }

    /// The misbehaviour in force.
    package var faults: Set<Fault> {
        get { state.withLock { $0.faults } }
        set { state.withLock { $0.faults = newValue } }
    }

    /// Who is signed in without a page at the next authorization requests; nil: the page asks.
    package var automaticPerson: String? {
        get { state.withLock { $0.automaticPerson } }
        set { state.withLock { $0.automaticPerson = newValue } }
    }

    /// Requests so far at the endpoint, whatever became of them.
    package func count(_ endpoint: Endpoint) -> Int { state.withLock { $0.counters[endpoint] ?? 0 } }

    package func resetCounters() { state.withLock { $0.counters = [:] } }

    /// A new signing key; the one before stays in the key set.
    package func rotateKeys() { state.withLock { $0.keyChain.rotate() } }

    /// Ends every token and every provider session, as after a password change: the next refresh is `invalid_grant`.
    package func revokeEverything() { state.withLock { $0.memory = ProviderMemory() } }

    /// A logout token (OpenID Connect Back-Channel Logout 1.0 section 2.4) for the user, signed with the current key.
    package func logoutToken(person: Person, clientID: String, sessionID: String?, now: Int64) -> String {
        state.withLock { $0.logoutToken(subject: person.subject, clientID: clientID, sessionID: sessionID, now: now) }
    }
}
