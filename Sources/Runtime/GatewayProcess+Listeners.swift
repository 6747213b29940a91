import Config
import Exchanges
import HTTPWire
import Logging
import NIOConcurrencyHelpers
import NIOCore
import Process
import Server
import Serving
import Telemetry
import Transport

/// Opening listeners.
extension GatewayProcess {
    func bind(_ configuration: Configuration) async throws(StartFailure) {
        func handedOver(_ name: String) -> [ServiceManager.InheritedSocket] { manager.sockets.filter { $0.name == name } }
        let admin = try await bind(configuration.admin.listen, handedOver("admin"), .admin)
        self.admin.bound.withLockedValue { $0 = admin }
        if let asked = configuration.authorization {
            let sockets = try await bind(asked.listen, handedOver("authorization"), .authorization)
            authorization.bound.withLockedValue { $0 = sockets }
        }
        let rest = manager.sockets.filter { $0.name != "admin" && $0.name != "authorization" }
        let server = try await bind(configuration.server.listen, rest, .public)
        listeners.withLockedValue { $0 = server }
        phase.withLockedValue { $0 = .serving }
    }

    private func listener(_ role: ListenerRole) -> Listener {
        switch role {
        case .admin: Listener(group: group, loops: admin.loops, settings: ServerSettings())
        case .authorization: Listener(group: group, loops: authorization.loops, settings: .forQuestions(core))
        case .public: Listener(group: group, loops: loops, settings: core.serving.serverSettings, sparesDescriptors: true)
        }
    }

    /// Sockets that were handed over stand for the configured addresses.
    private func bind(
        _ addresses: [ListenAddress], _ sockets: [ServiceManager.InheritedSocket], _ role: ListenerRole
    ) async throws(StartFailure) -> [BoundListener] {
        var bound: [BoundListener] = []
        for socket in sockets {
            do {
                bound.append(BoundListener(socket: try await listener(role).bind(.inherited(descriptor: socket.descriptor))))
            } catch {
                throw .cannotBind(BindProblem(inherited: socket.descriptor, error))
            }
        }
        if !sockets.isEmpty {
            log.write(
                .notice, "sockets-inherited", "using the service manager's sockets instead of the configured addresses",
                [("sockets", .text(sockets.map { "\($0.descriptor)\($0.name.isEmpty ? "" : "=" + $0.name)" }.joined(separator: ", ")))])
            return bound
        }
        for address in addresses { bound.append(BoundListener(address: address, socket: try await bind(role, address))) }
        return bound
    }

    func bind(_ role: ListenerRole, _ address: ListenAddress) async throws(StartFailure) -> any TransportListener {
        let target = Listener.Address(address)
        let listener = listener(role)
        do {
            return try await listener.bind(target)
        } catch {
            // A machine without IPv6 has no `::`.
            if case .tcp(let host, let port) = target, host.isEmpty,
                let socket = try? await listener.bind(.tcp(host: "0.0.0.0", port: port))
            {
                return socket
            }
            throw .cannotBind(BindProblem(target, role, error))
        }
    }
}

extension ServerSettings {
    init(_ snapshot: Snapshot, _ tls: TLSContexts?) {
        self.init()
        let configuration = snapshot.configuration.server
        headLimits = .init(bytes: configuration.limits.headerBytes, fields: configuration.limits.headerCount)
        headerTimeout = configuration.timeouts.header
        idleTimeout = configuration.timeouts.idle
        self.tls = tls
        takesPriorKnowledge = configuration.http2 == .priorKnowledge
        bodyRate = configuration.limits.bodyRate
        rateWindow = configuration.timeouts.rateWindow
        requiresProxyProtocol = configuration.proxyProtocol == .required
        trustedProxies = snapshot.trustedProxies
    }
}

extension ServerSettings {
    /// Of the listener at which other proxies ask.
    static func forQuestions(_ core: GatewayCore) -> ServerSettings {
        let usesTLS = core.snapshot.configuration.authorization?.tls ?? false
        var settings = ServerSettings(core.snapshot, usesTLS ? core.tls : nil)
        settings.takesPriorKnowledge = true
        settings.requiresProxyProtocol = false
        // A question repeats the head of a request, and adds fields about it.
        settings.headLimits = HeadLimits(bytes: settings.headLimits.bytes + 16 * 1024, fields: settings.headLimits.fields + 20)
        return settings
    }
}

extension Listener.Address {
    init(_ address: ListenAddress) {
        switch address {
        case .tcp(let host, let port): self = .tcp(host: host, port: port)
        case .unix(let path): self = .unix(path: path)
        }
    }
}
