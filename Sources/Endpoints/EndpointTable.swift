import Accounts
import Config
import HTTPWire

/// One of the gateway's own endpoints: a row of the table.
struct Endpoint: Sendable {
    typealias Handler = @Sendable (Endpoints, EndpointRequest) -> Void

    /// The path below `pathPrefix`, part by part.
    let path: [PathPart]
    let methods: [HTTPWire.Method]
    /// Part of a sign-in, which waits while its audit records would be lost.
    let isSignIn: Bool
    /// Whether the configuration has it.
    let isOffered: @Sendable (SiteContext) -> Bool
    let handler: Handler

    enum PathPart: Equatable, Sendable {
        case literal(String)
        /// Any one part, which the handler gets.
        case placeholder
    }

    /// `path`: a part in braces is a placeholder.
    init(
        _ methods: [HTTPWire.Method], _ path: String, isSignIn: Bool = false,
        if isOffered: @escaping @Sendable (SiteContext) -> Bool = { _ in true },
        _ handler: @escaping Handler
    ) {
        self.path = path.split(separator: "/").map { $0.hasPrefix("{") ? .placeholder : .literal(String($0)) }
        self.methods = methods
        self.isSignIn = isSignIn
        self.isOffered = isOffered
        self.handler = handler
    }

    /// What stands for the placeholders; nil where the path is another one.
    func match(_ parts: [String]) -> [String]? {
        guard parts.count == path.count else { return nil }
        var segments: [String] = []
        for (part, expected) in zip(parts, path) {
            switch expected {
            case .literal(let literal): if literal != part { return nil }
            case .placeholder: segments.append(part)
            }
        }
        return segments
    }
}

/// All of the gateway's own endpoints. A path may have several rows with different methods; of two that match, the first counts.
struct EndpointTable: Sendable {
    private static let all: [Endpoint] = [
        Endpoint([.get, .head], "/login", isSignIn: true) { $0.showSignIn($1) },
        Endpoint([.post], "/login/password", isSignIn: true, if: { $0.passwordProvider != nil }) { $0.signInWithPassword($1) },
        Endpoint([.post], "/login/passkey", isSignIn: true, if: \.offersPasskeys) { $0.signInWithPasskey($1) },
        Endpoint([.post], "/login/passkey/start", isSignIn: true, if: \.offersPasskeys) { $0.startPasskey($1) },
        Endpoint([.post], "/login/anonymous", isSignIn: true, if: \.offersAnonymous) { $0.signInAnonymously($1) },
        Endpoint([.get], "/login/{provider}", isSignIn: true) { $0.beginLogin($1) },
        Endpoint([.get, .post], "/callback/{provider}", isSignIn: true) { $0.receiveCallback($1) },
        Endpoint([.get, .head], "/logout") { $0.showSignOut($1) },
        Endpoint([.post], "/logout") { $0.signOut($1) },
        Endpoint([.get, .head], "/logged-out") { $0.showSignedOut($1) },
        Endpoint([.get, .head], "/userinfo") { $0.userinfo($1) },
        Endpoint([.get, .head], "/jwks.json") { $0.assertionKeys($1) },
        Endpoint([.post], "/backchannel-logout/{provider}") { $0.receiveLogout($1) },
        Endpoint([.get], "/frontchannel-logout/{provider}") { $0.receiveFrontChannelLogout($1) },
        Endpoint([.post], "/session", isSignIn: true, if: { $0.configuration.session.exchange != nil }) { $0.exchangeToken($1) },
        Endpoint([.get, .head], "/sessions") { $0.listSessions($1) },
        Endpoint([.post], "/sessions/revoke") { $0.revokeSessions($1) },
        Endpoint([.get, .head], "/account", if: \.hasAccounts) { $0.showAccount($1) },
        Endpoint([.get, .head], "/account/delete", if: \.hasAccounts) { $0.showAccountDeletion($1) },
        Endpoint([.post], "/account/delete", if: \.hasAccounts) { $0.deleteAccount($1) },
        Endpoint([.get, .head], "/account/pending", if: \.hasAccounts) { $0.showPending($1) },
        Endpoint([.post], "/account/pending", isSignIn: true, if: \.hasAccounts) { $0.answerPending($1) },
        Endpoint([.post], "/account/password", if: { $0.passwordProvider != nil }) { $0.changePassword($1) },
        Endpoint([.get, .head], "/account/email", if: { $0.hasAccounts && $0.sendsMail }) { $0.showEmailChange($1) },
        Endpoint([.post], "/account/email", if: { $0.hasAccounts && $0.sendsMail }) { $0.changeEmail($1) },
        Endpoint([.post], "/link/{provider}", isSignIn: true, if: \.hasAccounts) { $0.beginLink($1) },
        Endpoint([.post], "/unlink/{provider}", if: \.hasAccounts) { $0.unlink($1) },
        Endpoint([.get], "/reauthenticate", isSignIn: true, if: \.hasAccounts) { $0.reauthenticate($1) },
        Endpoint([.post], "/reauthenticate", isSignIn: true, if: { $0.passwordProvider != nil }) { $0.reauthenticateWithPassword($1) },
        Endpoint([.post], "/reauthenticate/passkey", isSignIn: true, if: \.offersPasskeys) { $0.reauthenticateWithPasskey($1) },
        Endpoint([.post], "/reauthenticate/passkey/start", isSignIn: true, if: \.offersPasskeys) {
            $0.startReauthenticationWithPasskey($1)
        },
        Endpoint([.get, .head], "/second-factor", isSignIn: true, if: \.hasSecondFactors) { $0.showSecondFactor($1) },
        Endpoint([.post], "/second-factor/start", isSignIn: true, if: \.hasSecondFactors) { $0.startSecondFactor($1) },
        Endpoint([.post], "/second-factor/verify", isSignIn: true, if: \.hasSecondFactors) { $0.verifySecondFactor($1) },
        Endpoint([.get, .head], "/account/second-factors", if: \.hasSecondFactors) { $0.showSecondFactors($1) },
        Endpoint([.post], "/account/second-factors/start", isSignIn: true, if: \.hasSecondFactors) { $0.startEnrolment($1) },
        Endpoint([.post], "/account/second-factors/verify", isSignIn: true, if: \.hasSecondFactors) { $0.verifyEnrolment($1) },
        Endpoint([.post], "/account/second-factors/remove", if: \.hasSecondFactors) { $0.removeSecondFactor($1) },
        Endpoint([.get, .head], "/sign-up", if: { $0.passwordProvider != nil }) { $0.showSignUp($1) },
        Endpoint([.post], "/sign-up", isSignIn: true, if: { $0.passwordProvider != nil }) { $0.signUp($1) },
        Endpoint([.get, .head], "/verify-email", if: \.hasAccounts) { $0.showMailLink($1, for: [.verify, .change, .upgrade]) },
        Endpoint([.post], "/verify-email", if: \.hasAccounts) { $0.verifyEmail($1) },
        Endpoint([.get, .head], "/password/reset", if: { $0.passwordProvider != nil && $0.sendsMail }) { $0.showPasswordReset($1) },
        Endpoint([.post], "/password/reset", if: { $0.passwordProvider != nil && $0.sendsMail }) { $0.resetPassword($1) },
        Endpoint([.get, .head], "/password/new", if: { $0.passwordProvider != nil && $0.sendsMail }) { $0.showMailLink($1, for: [.reset]) },
        Endpoint([.post], "/password/new", if: { $0.passwordProvider != nil && $0.sendsMail }) { $0.setNewPassword($1) },
    ]

    enum Match {
        case endpoint(Endpoint, segments: [String])
        /// The methods of the path.
        case otherMethods([HTTPWire.Method])
        case none
    }

    private let endpoints: [Endpoint]

    init(_ site: SiteContext, _ endpoints: [Endpoint] = EndpointTable.all) { self.endpoints = endpoints.filter { $0.isOffered(site) } }

    func match(_ method: HTTPWire.Method, _ parts: [String]) -> Match {
        var methods: [HTTPWire.Method] = []
        for endpoint in endpoints {
            guard let segments = endpoint.match(parts) else { continue }
            if endpoint.methods.contains(method) { return .endpoint(endpoint, segments: segments) }
            methods += endpoint.methods.filter { !methods.contains($0) }
        }
        return methods.isEmpty ? .none : .otherMethods(methods)
    }
}

extension HTTPWire.Method {
    /// As in `Allow`.
    var name: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .patch: "PATCH"
        case .other: ""
        }
    }
}
