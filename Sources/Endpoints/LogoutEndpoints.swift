import Access
import Accounts
import Backchannel
import Config
import Decisions
import HTTPWire
import Logging
import Pages
import Primitives
import Sessions
import SignIn
import Telemetry
import TokenCrypto

extension Endpoints {
    private static let logoutStateLifetime: Int64 = 10 * 60_000

    /// `GET /logout`: a page with a button; a GET does not sign out.
    func showSignOut(_ request: EndpointRequest) {
        withSession(of: request) { endpoints, request, session in endpoints.showSignOut(request, session) }
    }

    private func showSignOut(_ request: EndpointRequest, _ session: Session?) {
        guard let session else {
            return request.send(Answer(SignedOutPage(site: site.pageSite, extent: .wasNotSignedIn), hsts: site.hsts))
        }
        let target = returnPath(request.query)
        let page = SignOutPage(
            site: site.pageSite, signedInAs: session.identity.name ?? session.identity.username ?? session.identity.email,
            returnTo: target == "/" ? nil : target, endSessionOrigin: endSessionOrigin(session))
        request.send(Answer(page, hsts: site.hsts))
    }

    private func endSessionOrigin(_ session: Session) -> String? {
        guard
            let url = context.clients[session.identity.provider]?.endSessionURL(
                idTokenHint: nil, postLogoutRedirectURI: site.ownURL("/logged-out"), state: "")
        else { return nil }
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count >= 3 else { return nil }
        return "\(parts[0])//\(parts[2].prefix { $0 != "?" })"
    }

    /// `POST /logout`: the session ends here first, then at the provider where it has a sign-out
    /// (OpenID Connect RP-Initiated Logout 1.0).
    func signOut(_ request: EndpointRequest) {
        guard site.isFromOurPages(request.head) else {
            return refuse(request, status: 400, code: "auth/invalid-csrf-token", reason: "cross-site-logout")
        }
        collectForm(request) { [self] request, form in
            finishSignOut(request, returnPath(form.contains { $0.name == "rd" } ? form : request.query))
        }
    }

    private func finishSignOut(_ request: EndpointRequest, _ target: String) {
        let now = wallClock()
        // Also one that ended already: the sign-out before this one may not have been written, and the provider not been told.
        let load = uncheckedSession(of: request.head, now: now)
        let sessions = context.sessions
        after(request) { () -> SignOut in
            do throws(SessionStoreError) {
                guard let session = try await load() else { return .done(nil, isFirst: false) }
                return .done(session, isFirst: try await sessions.revoke(session, now: now))
            } catch {
                return .failed(error)
            }
        } _: { endpoints, request, result in
            switch result {
            case .failed(let error): endpoints.signOutFailed(request, error.words)
            case .done(let session, let isFirst):
                if let session, isFirst { endpoints.revokeTokens(of: session) }
                endpoints.signedOut(request, session, target, now)
            }
        }
    }

    private enum SignOut: Sendable {
        /// `isFirst`: the session had not ended before.
        case done(Session?, isFirst: Bool)
        case failed(SessionStoreError)
    }

    /// The cookie stays, so that the user can try again.
    private func signOutFailed(_ request: EndpointRequest, _ reason: String) {
        log.write(
            .error, "sign-out-failed", "sign-out failed",
            [("reason", .text(reason)), ("request_id", .text(request.id.text))])
        var answer = answers.refusal(
            status: 503, code: "auth/signout-failed", isPage: answers.wantsPage(request.head), requestID: request.id)
        answer.add("Retry-After", "5")
        request.send(answer)
    }

    private func bringsOurCookie(_ request: EndpointRequest) -> Bool { request.cookies.contains { site.cookies.isOurs($0.name) } }

    private func signedOut(_ request: EndpointRequest, _ session: Session?, _ target: String, _ now: Int64) {
        if let session {
            log.write(
                .info, "signed-out", "user signed out",
                [
                    ("provider", .text(session.identity.provider)), ("uid", .text(session.uid)),
                    ("request_id", .text(request.id.text)),
                ])
        }
        let location = session.flatMap { endSessionURL($0, target, now) } ?? (target == "/" ? site.pathPrefix + "/logged-out" : target)
        var answer = Answer.redirect(status: 303, to: location, hsts: site.hsts)
        // A browser that withheld the cookie from a foreign page's form must not lose it to the answer.
        if bringsOurCookie(request) { answer.setCookies(site.cookies.signOutLines(existingNames: request.cookieNames)) }
        // What the browser kept of the app's pages goes with the session (W3C Clear Site Data section 3.1).
        answer.add("Clear-Site-Data", "\"cache\"")
        request.send(answer)
    }

    private func endSessionURL(_ session: Session, _ target: String, _ now: Int64) -> String? {
        context.clients[session.identity.provider]?.endSessionURL(
            idTokenHint: session.tokens.idToken, postLogoutRedirectURI: site.ownURL("/logged-out"),
            state: logoutState(target, now))
    }

    /// Best effort, after the response: a provider outage does not prevent the sign-out here (RFC 7009 section 2.2).
    private func revokeTokens(of session: Session) {
        guard let client = context.clients[session.identity.provider], session.tokens.refreshToken != nil else { return }
        Task { _ = await client.revoke(session.tokens) }
    }

    /// `GET /logged-out`: where a provider's sign-out returns to. A state that is not ours changes nothing.
    func showSignedOut(_ request: EndpointRequest) {
        if let state = request.query?.first(where: { $0.name == "state" })?.value, let target = logoutTarget(state, wallClock()) {
            return request.send(.redirect(status: 302, to: target, hsts: site.hsts))
        }
        withSession(of: request) { endpoints, request, session in
            if session != nil { return endpoints.showSignOut(request, session) }
            let site = endpoints.site
            request.send(Answer(SignedOutPage(site: site.pageSite, extent: .complete), hsts: site.hsts))
        }
    }

    /// Carries `rd` through the provider's sign-out, sealed against forgery.
    private func logoutState(_ target: String, _ now: Int64) -> String {
        let text = "\(now) \(target == "/" ? "" : target)"
        return Base64URL.encode(context.logoutRing.seal(Array(text.utf8), associatedData: Array("logout-state".utf8)))
    }

    private func logoutTarget(_ state: String, _ now: Int64) -> String? {
        guard state.utf8.count <= 4_096, let sealed = Base64URL.decode(state),
            let opened = context.logoutRing.open(sealed, associatedData: Array("logout-state".utf8))
        else { return nil }
        let parts = String(decoding: opened, as: UTF8.self).split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let issued = Int64(parts[0]), PlausibleTime.milliseconds.contains(issued),
            now - issued < Self.logoutStateLifetime, !parts[1].isEmpty
        else { return nil }
        let target = site.returnPaths.validate(String(parts[1])).text
        return target == "/" ? nil : target
    }
}
