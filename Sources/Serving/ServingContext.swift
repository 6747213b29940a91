package import Endpoints
package import Proxy
package import Server
package import Sessions
package import Telemetry

/// What requests are served with under one configuration. Immutable; all event loops share it.
package final class ServingContext: Sendable {
    /// Also of the gateway's own endpoints.
    package let endpoints: EndpointContext
    /// Those of `endpoints`, here for each request.
    package let sessions: SessionService
    package let log: EventLog
    /// Another number for each configuration: what a connection worked out with one does not hold for the next.
    package let generation: Int
    package let operations: Operations
    package let bearerTokens: BearerTokens
    package let seal: SessionSeal
    /// By `Route.upstreamIndex`.
    package let upstreams: [UpstreamDefinition]
    package let upstreamSettings: UpstreamSettings
    package let serverSettings: ServerSettings

    package init(
        endpoints: EndpointContext, generation: Int, operations: Operations, seal: SessionSeal, upstreams: [UpstreamDefinition],
        upstreamSettings: UpstreamSettings, serverSettings: ServerSettings
    ) {
        self.endpoints = endpoints
        sessions = endpoints.sessions
        log = endpoints.log
        self.generation = generation
        self.operations = operations
        bearerTokens = BearerTokens(clients: endpoints.clients, log: endpoints.log, accounts: endpoints.accounts?.service)
        self.seal = seal
        self.upstreams = upstreams
        self.upstreamSettings = upstreamSettings
        self.serverSettings = serverSettings
    }
}
