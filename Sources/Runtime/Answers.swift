import Access
import Config
import HTTPWire
import NIOCore
import Pages
import Providers
import SignIn

/// The one map from what went wrong to HTTP: a page for a browser's navigation, JSON for everything else.
struct Answers: Sendable {
    let snapshot: Snapshot

    init(snapshot: Snapshot) { self.snapshot = snapshot }

    // MARK: Who asks

    func kind(of head: RequestHead) -> NavigationKind {
        withBytes(of: head.bytes) { bytes, _ in
            var hints = NavigationHints()
            hints.secFetchMode = head.value(.secFetchMode, bytes)
            hints.accept = head.value(.accept, bytes)
            hints.xRequestedWith = head.value(.xRequestedWith, bytes)
            hints.contentType = head.value(.contentType, bytes)
            hints.upgrade = head.value(.upgrade, bytes)
            hints.accessControlRequestMethod = head.value(.accessControlRequestMethod, bytes)
            return NavigationKind(method: head.slice(head.methodRange, bytes), hints: hints)
        }
    }

    func wantsPage(_ head: RequestHead) -> Bool {
        guard head.bytes.readableBytes > 0 else { return false }
        switch kind(of: head) {
        case .navigation, .formPost: return true
        case .programmatic, .preflight: return false
        }
    }

    // MARK: Errors

    /// A refusal or failure with the catalogue's text for its status or code.
    /// `allow`: the methods there are, for a 405.
    func refusal(
        status: Int, code: String?, isPage: Bool, requestID: RequestID, allow: String = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
    ) -> Answer {
        let text = code.map { ErrorText.of(code: $0, status: status) } ?? ErrorText.proxy(status: status)
        var answer = error(status: status, text: text, isPage: isPage, requestID: requestID, retry: nil)
        if status == 405 { answer.add("Allow", allow) }
        return answer
    }

    func error(
        status: Int, text: ErrorText, isPage: Bool, requestID: RequestID, retry: LinkTarget?, provider: String? = nil
    ) -> Answer {
        var answer: Answer
        if isPage {
            let page = ErrorPage(
                site: snapshot.site, code: text.code, status: status, requestID: requestID.text, provider: provider, retry: retry,
                text: text)
            answer = Answer(page, hsts: snapshot.hsts)
        } else {
            answer = .json(
                status: status, ErrorBody.json(code: text.code, message: text.message, requestID: requestID.text),
                hsts: snapshot.hsts)
        }
        answer.code = text.code
        return answer
    }

    // MARK: Access

    /// Nobody is signed in (contract section 6, "Not signed in").
    func challenge(for head: RequestHead, requestID: RequestID) -> Answer {
        let target = loginPath(returningTo: returnTarget(of: head))
        let kind = kind(of: head)
        switch (snapshot.configuration.onUnauthenticated, kind) {
        case (.auto, .navigation):
            return .redirect(status: 302, to: target, hsts: snapshot.hsts)
        case (.auto, .formPost):
            return .redirect(status: 303, to: target, hsts: snapshot.hsts)
        case (.redirect, .navigation), (.redirect, .programmatic), (.redirect, .formPost):
            let status = head.method == .get || head.method == .head ? 302 : 303
            return .redirect(status: status, to: target, hsts: snapshot.hsts)
        case (.auto, .programmatic), (.auto, .preflight), (.redirect, .preflight), (.deny, _):
            return unauthenticated(isPage: kind == .navigation || kind == .formPost, loginPath: target, requestID: requestID)
        }
    }

    /// 401 with the way to sign in (RFC 9110 section 15.5.2; RFC 6750 section 3: no error code where nothing was presented).
    func unauthenticated(isPage: Bool, loginPath: String, requestID: RequestID) -> Answer {
        var answer: Answer
        let text = ErrorText.of(code: "auth/login-required", status: 401)
        if isPage {
            let page = ErrorPage(
                site: snapshot.site, code: text.code, status: 401, requestID: requestID.text, retry: LinkTarget(loginPath), text: text)
            answer = Answer(page, hsts: snapshot.hsts)
        } else {
            answer = .json(
                status: 401,
                ErrorBody.json(
                    code: text.code, message: text.message, requestID: requestID.text,
                    loginURL: (snapshot.publicURL?.text ?? "") + loginPath),
                hsts: snapshot.hsts)
        }
        answer.add("WWW-Authenticate", "Bearer realm=\"\(snapshot.site.name)\"")
        answer.code = text.code
        return answer
    }

    /// Somebody is signed in and a rule refuses them.
    func denial(_ denial: Denial, for head: RequestHead, requestID: RequestID) -> Answer {
        let isPage = wantsPage(head)
        switch denial.code {
        case .accessDenied:
            var text = ErrorText.deniedByRule
            if snapshot.configuration.pages.explainDenials { text.details = denial.trace.map(\.description) }
            return error(status: 403, text: text, isPage: isPage, requestID: requestID, retry: nil)
        case .requiresRecentLogin:
            let login = loginPath(returningTo: returnTarget(of: head), notice: .requiresRecentLogin)
            let text = ErrorText.of(code: denial.code.rawValue, status: 401)
            var answer = error(status: 401, text: text, isPage: isPage, requestID: requestID, retry: LinkTarget(login))
            answer.add("WWW-Authenticate", "Bearer realm=\"\(snapshot.site.name)\"")
            return answer
        }
    }

    /// A sign-in that failed. The page offers to begin again, with the way back kept.
    func signInFailure(_ failure: SignInError, isPage: Bool, requestID: RequestID) -> Answer {
        let known = ErrorText.of(code: failure.code.rawValue, status: failure.status)
        let text =
            ErrorText.catalogue.contains { $0.code == known.code }
            ? known
            : ErrorText(
                code: failure.code.rawValue, status: failure.status, title: "The sign-in did not work", happened: failure.message,
                next: "If it happens again, please tell the people who run this site.", remedy: .signInAgain)
        let retry = LinkTarget(loginPath(returningTo: failure.returnPath ?? "/"))
        let provider = snapshot.providers.first { $0.id == failure.provider }?.displayName
        return error(status: failure.status, text: text, isPage: isPage, requestID: requestID, retry: retry, provider: provider)
    }

    // MARK: Ways

    /// `{pathPrefix}/login?rd=…`. `notice`: what the sign-in page is to say, where there is one.
    func loginPath(returningTo path: String, notice: SignInPage.Notice? = nil) -> String {
        var fields = path == "/" ? [] : ["rd=" + FormCoding.queryComponent(path)]
        // With one provider there is no page to say it on.
        if let notice, snapshot.providers.count > 1 { fields.append("notice=" + notice.rawValue) }
        return snapshot.pathPrefix + "/login" + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&"))
    }

    /// Path and query of a request, as far as they can be returned to.
    func returnTarget(of head: RequestHead) -> String {
        snapshot.returnPaths.validate(head.pathText + head.text(head.queryRange)).text
    }
}
