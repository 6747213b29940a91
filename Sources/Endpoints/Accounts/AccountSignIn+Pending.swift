import Accounts
import Decisions
import Logging
import Sessions
import Telemetry

/// Where a sign-in leads after its last factor.
struct NextStep: Sendable {
    var target: String
    var cookies: [String] = []
}

extension AccountSignIn {
    /// The question about an identity that met a conflict, or the end of a merge: what waited for this sign-in, after its last factor. It
    /// links nothing, and it never fails the sign-in.
    func finishPending(_ uid: String, returnPath: String, now: Int64) async -> NextStep {
        if let credential = pendingCookies.open(ConflictingIdentity.self, in: .work, now: now) {
            // Another account: its user may still sign in to the right one.
            guard credential.uid == uid else { return NextStep(target: returnPath) }
            // The way back of this sign-in, perhaps in another tab, replaces that of the sign-in that met the conflict.
            let lines = returnPath == "/" ? nil : pendingCookies.lines(credential.leading(to: returnPath), in: .work)
            return NextStep(target: pendingPath, cookies: lines ?? [])
        }
        guard let merge = pendingCookies.open(BegunMerge.self, in: .work, now: now), merge.uid == uid else {
            return NextStep(target: returnPath)
        }
        if let previous, previous.uid == merge.payload.previous { await tellMerge(merge, now: now) }
        return NextStep(target: returnPath, cookies: pendingCookies.deletions(of: .work))
    }

    /// `{pathPrefix}/account/pending`.
    var pendingPath: String { accountPath + "/pending" }

    /// Notifies the merge hook that the user has signed in to both accounts: at least once, through the outbox.
    private func tellMerge(_ merge: PendingMerge, now: Int64) async {
        guard accounts.hooks.hearsOfMerges else { return }
        let (before, uid) = (merge.payload.previous, merge.uid)
        do throws(AccountError) {
            guard let previous = try await accounts.service.account(before), let current = try await accounts.service.account(uid),
                try await accounts.service.enqueue(
                    MergeMessage.entry(previous: previous, current: current, now: now), once: merge.mark)
            else { return }
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
