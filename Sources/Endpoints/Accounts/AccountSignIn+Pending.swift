import Accounts
import Decisions
import Logging
import Sessions
import Telemetry

/// What waited for a sign-in and was finished by it.
struct FinishedWork: Sendable {
    /// The account with the identity that was linked; nil if none was.
    var account: Account?
    var cookies: [String] = []
    /// Of the sign-in that met the conflict.
    private(set) var returnPath = "/"

    init(account: Account? = nil, cookies: [String] = [], returnPath: String = "/") {
        self.account = account
        self.cookies = cookies
        self.returnPath = returnPath
    }

    func target(_ path: String) -> String { path == "/" ? returnPath : path }

    func continuing(_ facts: SessionAccount?) -> SessionAccount? { account.map { SessionAccount($0, continuing: facts) } ?? facts }
}

extension AccountSignIn {
    /// Carries out what waited for this sign-in, after its last factor. It never fails the sign-in.
    func finishPending(_ uid: String, now: Int64) async -> FinishedWork {
        guard let pending = PendingWork(cookies, site.cookies, accounts.ring, now: now) else { return FinishedWork() }
        let deletion = PendingWork.deletion(cookies.map(\.name), site.cookies).map { [$0] } ?? []
        switch pending {
        case .link(let credential, let path):
            do throws(AccountError) {
                guard let account = try await accounts.service.redeem(credential, signedIn: uid, now: now) else {
                    // Another account: its user may still sign in to the right one.
                    return FinishedWork(cookies: credential.uid == uid ? deletion : [])
                }
                reportLink(credential.identity.provider, account, uid)
                return FinishedWork(account: account, cookies: deletion, returnPath: path)
            } catch {
                context.log.write(
                    .error, "account-operation-failed", "the identity that met a conflict was not linked",
                    fields(uid, credential.identity.provider) + [("reason", .text(error.reason ?? error.code.rawValue))])
                return FinishedWork()
            }
        case .merge(let before, let current):
            guard current == uid else { return FinishedWork() }
            if let previous, previous.uid == before { await tellMerge(before, uid, now: now) }
            return FinishedWork(cookies: deletion)
        }
    }

    /// Notifies the merge hook that the user has signed in to both accounts: at least once, through the outbox.
    private func tellMerge(_ before: String, _ uid: String, now: Int64) async {
        guard accounts.hooks.hearsOfMerges else { return }
        do throws(AccountError) {
            guard let previous = try await accounts.service.account(before), let current = try await accounts.service.account(uid) else {
                return
            }
            try await accounts.service.enqueue(MergeMessage.entry(previous: previous, current: current, now: now))
            context.log.write(
                .notice, "accounts-merged", "a user signed in to two accounts; the gateway notifies the merge hook",
                [("previous", .text(before)), ("uid", .text(uid)), ("request_id", .text(requestID.text))])
        } catch {
            context.log.write(
                .error, "account-operation-failed", "the merge hook was not told",
                [("uid", .text(uid)), ("reason", .text(error.reason ?? "")), ("request_id", .text(requestID.text))])
        }
    }
}
