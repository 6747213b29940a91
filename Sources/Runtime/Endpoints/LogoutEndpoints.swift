import Access
import Accounts
import Backchannel
import Config
import Decisions
import Exchanges
import HTTPWire
import Logging
import NIOCore
import Pages
import Primitives
import Server
import Sessions
import SignIn
import Telemetry
import TokenCrypto

extension Endpoints {
    private static let logoutStateLifetime: Int64 = 10 * 60_000

    /// `GET /logout`: a page with a button; a GET does not sign out.
    func showSignOut(_ exchange: Exchange, _ connection: ConnectionState) {
        withSession(of: exchange, connection) { endpoints, exchange, _, session in endpoints.showSignOut(exchange, session) }
    }

    private func showSignOut(_ exchange: Exchange, _ session: Session?) {
        guard let session else {
            return Answer(SignedOutPage(site: snapshot.pageSite, extent: .wasNotSignedIn), hsts: snapshot.hsts)
                .send(on: exchange)
        }
        let target = returnPath(query(exchange.head))
        let page = SignOutPage(
            site: snapshot.pageSite, signedInAs: session.identity.name ?? session.identity.username ?? session.identity.email,
            returnTo: target == "/" ? nil : target, endSessionOrigin: endSessionOrigin(session))
        Answer(page, hsts: snapshot.hsts).send(on: exchange)
    }

    private func endSessionOrigin(_ session: Session) -> String? {
        guard
            let url = core.clients[session.identity.provider]?.endSessionURL(
                idTokenHint: nil, postLogoutRedirectURI: snapshot.ownURL("/logged-out"), state: "")
        else { return nil }
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count >= 3 else { return nil }
        return "\(parts[0])//\(parts[2].prefix { $0 != "?" })"
    }

    /// `POST /logout`: the session ends here first, then at the provider where it has a sign-out
    /// (OpenID Connect RP-Initiated Logout 1.0).
    func signOut(_ exchange: Exchange, _ connection: ConnectionState) {
        guard isFromOurPages(exchange.head) else {
            return refuse(exchange, connection, status: 400, code: "auth/invalid-csrf-token", reason: "cross-site-logout")
        }
        collectBody(exchange) { [self] exchange, body in
            let form = FormCoding.fields(of: body) ?? []
            let target = returnPath(form.contains { $0.name == "rd" } ? form : query(exchange.head))
            finishSignOut(exchange, connection, target)
        }
    }

    /// `SameSite` keeps the cookie from a foreign page's form already; beyond that, a browser that says where the form came
    /// from is believed. `Origin: null` is what our own pages send, whose policy hides the referrer.
    private func isFromOurPages(_ head: RequestHead) -> Bool {
        if let site = head.text(.secFetchSite) { return site == "same-origin" || site == "none" }
        guard let origin = head.text(.origin) else { return snapshot.configuration.session.sameSite != .none }
        return origin == snapshot.publicURL?.text || origin == "null" && snapshot.configuration.session.sameSite != .none
    }

    private func finishSignOut(_ exchange: Exchange, _ connection: ConnectionState, _ target: String) {
        let now = wallClock()
        // Also one that ended already: the sign-out before this one may not have been written, and the provider not been told.
        let load = uncheckedSession(of: exchange.head, now: now)
        let sessions = core.sessions
        after(exchange, connection) { () -> SignOut in
            do throws(SessionStoreError) {
                guard let session = try await load() else { return .done(nil, isFirst: false) }
                return .done(session, isFirst: try await sessions.revoke(session, now: now))
            } catch {
                return .failed(error)
            }
        } _: { endpoints, exchange, connection, result in
            switch result {
            case .failed(let error): endpoints.signOutFailed(exchange, connection, error.words)
            case .done(let session, let isFirst):
                if let session, isFirst { endpoints.revokeTokens(of: session) }
                endpoints.signedOut(exchange, connection, session, target, now)
            }
        }
    }

    private enum SignOut: Sendable {
        /// `isFirst`: the session had not ended before.
        case done(Session?, isFirst: Bool)
        case failed(SessionStoreError)
    }

    /// The cookie stays, so that the user can try again.
    private func signOutFailed(_ exchange: Exchange, _ connection: ConnectionState, _ reason: String) {
        core.log.write(
            .error, "sign-out-failed", "sign-out failed",
            [("reason", .text(reason)), ("request_id", .text(connection.requestID.text))])
        var answer = answers.refusal(
            status: 503, code: "auth/signout-failed", isPage: answers.wantsPage(exchange.head), requestID: connection.requestID)
        answer.add("Retry-After", "5")
        answer.send(on: exchange)
    }

    private func bringsOurCookie(_ head: RequestHead) -> Bool { cookies(head).contains { snapshot.cookies.isOurs($0.name) } }

    private func signedOut(_ exchange: Exchange, _ connection: ConnectionState, _ session: Session?, _ target: String, _ now: Int64) {
        let head = exchange.head
        if let session {
            core.log.write(
                .info, "signed-out", "user signed out",
                [
                    ("provider", .text(session.identity.provider)), ("uid", .text(session.uid)),
                    ("request_id", .text(connection.requestID.text)),
                ])
        }
        let location = session.flatMap { endSessionURL($0, target, now) } ?? (target == "/" ? snapshot.pathPrefix + "/logged-out" : target)
        var answer = Answer.redirect(status: 303, to: location, hsts: snapshot.hsts)
        // A browser that withheld the cookie from a foreign page's form must not lose it to the answer.
        if bringsOurCookie(head) { answer.setCookies(snapshot.cookies.deletionLines(existingNames: cookies(head).map(\.name))) }
        // What the browser kept of the app's pages goes with the session (W3C Clear Site Data section 3.1).
        answer.add("Clear-Site-Data", "\"cache\"")
        answer.send(on: exchange)
    }

    private func endSessionURL(_ session: Session, _ target: String, _ now: Int64) -> String? {
        core.clients[session.identity.provider]?.endSessionURL(
            idTokenHint: session.tokens.idToken, postLogoutRedirectURI: snapshot.ownURL("/logged-out"),
            state: logoutState(target, now))
    }

    /// Best effort, after the response: a provider outage does not prevent the sign-out here (RFC 7009 section 2.2).
    private func revokeTokens(of session: Session) {
        guard let client = core.clients[session.identity.provider], session.tokens.refreshToken != nil else { return }
        Task { _ = await client.revoke(session.tokens) }
    }

    /// `GET /logged-out`: where a provider's sign-out returns to. A state that is not ours changes nothing.
    func showSignedOut(_ exchange: Exchange, _ connection: ConnectionState) {
        if let state = query(exchange.head)?.first(where: { $0.name == "state" })?.value, let target = logoutTarget(state, wallClock()) {
            return Answer.redirect(status: 302, to: target, hsts: snapshot.hsts).send(on: exchange)
        }
        withSession(of: exchange, connection) { endpoints, exchange, _, session in
            if session != nil { return endpoints.showSignOut(exchange, session) }
            let snapshot = endpoints.snapshot
            Answer(SignedOutPage(site: snapshot.pageSite, extent: .complete), hsts: snapshot.hsts).send(on: exchange)
        }
    }

    /// Carries `rd` through the provider's sign-out, sealed against forgery.
    private func logoutState(_ target: String, _ now: Int64) -> String {
        let text = "\(now) \(target == "/" ? "" : target)"
        return Base64URL.encode(snapshot.logoutRing.seal(Array(text.utf8), associatedData: Array("logout-state".utf8)))
    }

    private func logoutTarget(_ state: String, _ now: Int64) -> String? {
        guard state.utf8.count <= 4_096, let sealed = Base64URL.decode(state),
            let opened = snapshot.logoutRing.open(sealed, associatedData: Array("logout-state".utf8))
        else { return nil }
        let parts = String(decoding: opened, as: UTF8.self).split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let issued = Int64(parts[0]), PlausibleTime.milliseconds.contains(issued),
            now - issued < Self.logoutStateLifetime, !parts[1].isEmpty
        else { return nil }
        let target = snapshot.returnPaths.validate(String(parts[1])).text
        return target == "/" ? nil : target
    }
}
