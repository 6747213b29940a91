import Access
import Accounts
import Decisions
import HTTPWire
import Logging
import Pages
import Sessions
import Telemetry
import TokenCrypto

/// The question whether to link the identity that met a conflict (contract section 8).
extension AccountSignIn {
    private static let event = "link-refused"

    /// The page or the JSON of the question. A session that must show its factor first is led to it.
    func askToLink(_ session: Session) async -> Answer {
        let now = wallClock()
        do throws(AccountError) {
            guard let credential = waitingCredential(for: session, now: now) else { return nothingToLink() }
            let identity = credential.identity
            let target = credential.returnPath
            guard try await accounts.service.canRedeem(credential, signedIn: session.uid, by: session.proof, now: now) else {
                return nothingToLink(returnTo: target)
            }
            guard isPage else { return .json(status: 200, LinkQuestionBody.json(identity, answers, returnTo: target), hsts: site.hsts) }
            return Answer(
                LinkQuestionPage(
                    site: site.pageSite, provider: answers.providerName(identity.provider) ?? identity.provider,
                    username: identity.username ?? identity.name, email: identity.email?.text, isEmailVerified: identity.emailVerified,
                    returnTo: target == "/" ? nil : target), hsts: site.hsts)
        } catch {
            guard isPage, error.code == .multiFactorAuthRequired else { return refused(error, event: Self.event, returnPath: pendingPath) }
            return .redirect(status: 303, to: answers.secondFactorPath(returningTo: pendingPath), hsts: site.hsts)
        }
    }

    /// `accept`: `true` links, `false` forgets the identity.
    func answerToLink(_ session: Session, _ form: AccountForm) async -> Answer {
        let now = wallClock()
        do throws(AccountError) {
            guard let accept = form["accept"].flatMap(Bool.init) else {
                return answers.refusal(status: 400, code: "auth/invalid-request", isPage: form.wantsPage, requestID: requestID)
            }
            guard let credential = waitingCredential(for: session, now: now) else { return nothingToLink() }
            let target = credential.returnPath
            var lines = pendingCookies.deletions(of: .work)
            if accept {
                guard
                    let account = try await accounts.service.redeem(
                        credential, signedIn: session.uid, by: session.proof, now: now)
                else { return nothingToLink(returnTo: target) }
                await reportLink(credential.identity.provider, account, session.uid)
                lines += try await reissued(session, account, now: now)
            } else {
                try await accounts.service.discard(credential)
                context.log.write(
                    .notice, Self.event, "a user declined to link the identity that met a conflict",
                    fields(session.uid, credential.identity.provider))
            }
            return done(form, at: site.returnPaths.validate(target).text, lines)
        } catch {
            return refused(error, event: Self.event, returnPath: pendingPath)
        }
    }

    /// The identity that waits in this browser for the account of the session.
    private func waitingCredential(for session: Session, now: Int64) -> PendingCredential? {
        pendingCookies.open(ConflictingIdentity.self, in: .work, now: now).flatMap { $0.uid == session.uid ? $0 : nil }
    }

    /// The question was answered, perhaps in another window, or its time is over, or the identity cannot be linked any more. A user goes on,
    /// a program gets an error. `target`: where the identity that waits here leads; nil: none waits.
    private func nothingToLink(returnTo target: String? = nil) -> Answer {
        var answer =
            isPage
            ? .redirect(status: 303, to: target.map { site.returnPaths.validate($0).text } ?? accountPath, hsts: site.hsts)
            : refused(AccountError(.invalidCredential, reason: "no identity waits to be linked", status: 400), event: Self.event)
        if target != nil { answer.setCookies(pendingCookies.deletions(of: .work)) }
        return answer
    }
}

/// The question as JSON.
enum LinkQuestionBody {
    static func json(_ identity: LinkedIdentity, _ answers: Answers, returnTo path: String) -> [UInt8] {
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        let body = JSONValue.object([
            "provider": .string(identity.provider), "display_name": text(answers.providerName(identity.provider)),
            "username": text(identity.username), "name": text(identity.name), "email": text(identity.email?.text),
            "email_verified": .bool(identity.emailVerified), "rd": .string(path),
        ])
        return Array((body.serialized() + "\n").utf8)
    }
}
