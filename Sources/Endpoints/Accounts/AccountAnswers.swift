import Config
import Accounts
import Decisions
import HTTPWire
import Logging
import Pages
import Primitives
import Providers
import SignIn
import Telemetry
import TokenCrypto

/// The answers of operations on accounts.
extension Answers {
    /// The answer to a refusal. `returnPath`: where the user goes after signing in again. `link`: it happened while a provider was linked.
    func accountError(
        _ error: AccountError, isPage: Bool, returnPath: String = "/", link: Bool = false, requestID: RequestID
    ) -> Answer {
        var text = ErrorText.of(code: error.code.rawValue, status: error.status)
        switch error.code {
        case .invalidToken: text = .usedLink
        case .storeUnavailable: text = .accountsUnavailable
        case .emailAlreadyInUse where link: text = .linkedEmailInUse
        case .invalidCredential where error.status == ErrorText.nothingToLink.status: text = .nothingToLink
        default: break
        }
        let retry: LinkTarget? =
            switch error.code {
            case .sessionExpired: LinkTarget(loginPath(returningTo: returnPath))
            case .requiresRecentLogin, .userMismatch: reauthentication(returningTo: returnPath)
            case .multiFactorAuthRequired: LinkTarget(secondFactorPath(returningTo: returnPath))
            case .accessDenied, .adminRestrictedOperation, .invalidCredential, .emailAlreadyInUse, .userDisabled:
                LinkTarget(loginPath(returningTo: returnPath))
            default: LinkTarget(site.pathPrefix + "/account")
            }
        var answer: Answer
        if isPage {
            answer = self.error(status: error.status, text: text, isPage: true, requestID: requestID, retry: retry)
        } else {
            let needed: String? =
                switch error.code {
                case .sessionExpired: loginPath(returningTo: returnPath)
                case .requiresRecentLogin: reauthenticationPath(returningTo: returnPath)
                case .multiFactorAuthRequired: secondFactorPath(returningTo: returnPath)
                default: nil
                }
            answer = .json(
                status: error.status,
                ErrorBody.json(
                    code: text.code, message: text.message, requestID: requestID.text,
                    loginURL: needed.map { (site.publicURL?.text ?? "") + $0 }),
                hsts: site.hsts)
            answer.code = text.code
        }
        if error.status == 401 { answer.add("WWW-Authenticate", "Bearer realm=\"\(site.pageSite.name)\"") }
        if let milliseconds = error.retryAfter ?? (error.status == 503 ? 5_000 : nil) {
            answer.add("Retry-After", String(max(1, (milliseconds - 1) / 1_000 + 1)))
        }
        return answer
    }

    /// `{pathPrefix}/reauthenticate?rd=…`.
    func reauthenticationPath(returningTo path: String) -> String {
        site.pathPrefix + "/reauthenticate" + (path == "/" ? "" : "?rd=" + FormCoding.queryComponent(path))
    }

    func reauthentication(returningTo path: String) -> LinkTarget? { LinkTarget(reauthenticationPath(returningTo: path)) }

    /// The 409 of a sign-in whose address another account has.
    func conflict(_ conflict: AccountConflict, provider id: String, returnPath: String, isPage: Bool, requestID: RequestID) -> Answer {
        guard isPage else {
            let text = ErrorText.of(code: ConflictPage.code, status: 409)
            var members: [String: JSONValue] = [
                "code": .string(text.code), "message": .string(text.message), "request_id": .string(requestID.text),
            ]
            if let providers = conflict.providers {
                members["email"] = .string(conflict.email.text)
                members["providers"] = .array(providers.map(JSONValue.string))
            }
            var answer = Answer.json(
                status: 409, Array((JSONValue.object(["error": .object(members)]).serialized() + "\n").utf8), hsts: site.hsts)
            answer.code = text.code
            return answer
        }
        let ways = conflict.providers ?? []
        let page = ConflictPage(
            site: site.pageSite, newProvider: providerName(id) ?? id, email: conflict.providers == nil ? nil : conflict.email.text,
            providers: ways.filter { $0 != ReservedProvider.password }.map { .init(id: $0, displayName: providerName($0) ?? $0) },
            password: ways.contains(ReservedProvider.password)
                ? PasswordSignIn(email: conflict.email.text, isEmailFixed: true, offersReset: site.sendsMail) : nil,
            hasOtherIdentity: ways.contains(id), returnTo: returnPath == "/" ? nil : returnPath, requestID: requestID.text)
        var answer = Answer(page, hsts: site.hsts)
        answer.code = ConflictPage.code
        return answer
    }

    /// The provider as its button names it.
    func providerName(_ id: String) -> String? { site.providers.first { $0.id == id }?.displayName }

    /// The settings of the password provider as its form shows them; nil without it.
    func passwordSignIn(email: String = "", isEmailFixed: Bool = false, problem: FormProblem? = nil) -> PasswordSignIn? {
        guard let password = site.passwordProvider else { return nil }
        return PasswordSignIn(
            email: email, isEmailFixed: isEmailFixed, offersSignUp: password.signUp && site.configuration.accounts?.signUp == .open,
            offersReset: site.sendsMail, problem: problem)
    }
}
