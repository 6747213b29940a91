import Accounts
import Decisions
import Logging
import Pages
import Primitives
import SignIn
import Telemetry

/// A mail that was counted. Only `AccountSignIn.count` makes one, and nothing else can be sent.
struct CountedMail: Sendable {
    /// The compared form of the address.
    fileprivate let recipient: String
    fileprivate let uid: String?
}

/// What a mail counts as.
enum MailShare: String {
    case reset, other, announcement
}

/// The one place that counts mails and sends them (contract section 8): each counts against its recipient, the account and the client's
/// network, whatever asked for it.
///
/// A stranger can ask for mails with any address, and use up its owner's. So mails that anybody can ask for come in two kinds, resets and
/// all others, and neither can use up the recipient's five alone. Whatever a stranger did, the owner gets a mail that leads into the
/// account: a reset that somebody asked for works for the owner, too. Mails that announce a change have counts of their own.
extension AccountSignIn {
    /// What has sent too many mails, or got them.
    private enum Counted: String {
        case client, account, recipient

        var reason: String {
            switch self {
            case .client: "too many mails for one client"
            case .account: "too many mails for one account"
            case .recipient: "too many mails to one address"
            }
        }
    }

    /// Counts a mail that the client asks for, before it is known whether there is one to send. Nil, if the recipient has got too many, and
    /// without `mail`: the answer is the same as for a mail that is sent. Throws if the account or the client has caused too many.
    func count(
        _ kind: String, as share: MailShare = .other, to address: EmailAddress, of uid: String?, now: Int64
    ) async throws(AccountError) -> CountedMail? {
        guard accounts.mail != nil else { return nil }
        guard let (exceeded, error) = try await exceeded(to: address, of: uid, share, now: now) else {
            return CountedMail(recipient: address.normalized, uid: uid)
        }
        reportLost(kind, uid, exceeded)
        if exceeded == .recipient { return nil }
        throw AccountError(.tooManyRequests, reason: exceeded.reason, retryAfter: error.retryAfter)
    }

    /// The same mail for the account that it turns out to be about. Nil: that account has caused too many.
    func count(_ kind: String, _ mail: CountedMail?, of uid: String, now: Int64) async -> CountedMail? {
        guard let mail else { return nil }
        do throws(AccountError) {
            _ = try await accounts.service.attempt(
                key("mail-account", uid), limit: AttemptLimit.mailsOfAccount, window: AttemptLimit.window, now: now)
            return CountedMail(recipient: mail.recipient, uid: uid)
        } catch {
            reportLost(kind, uid, .account)
            return nil
        }
    }

    /// Sends a mail after the answer. `address`: the one that was counted, as the account spells it.
    func send(_ kind: AccountMail.Kind, _ mail: CountedMail?, to address: EmailAddress) {
        guard let mail, sameBytes(mail.recipient, address.normalized), let delivery = accounts.mail,
            let publicURL = site.publicURL?.text,
            let page = AccountMail(site: site.pageSite, publicURL: publicURL, kind: kind, address: address.text)
        else { return }
        delivery.send(
            page.render(in: language), to: address, about: kind.name,
            from: MailSource(client: share, uid: mail.uid, requestID: requestID.text))
    }

    /// Tells the user of an account about a change. Such mails have as many again as those that anybody can ask for, with counts of their own:
    /// nobody can use up what announces a change, and a session that changes its account again and again uses up no reset.
    func notify(_ kind: AccountMail.Kind, _ address: EmailAddress?, of uid: String) async {
        guard accounts.mail != nil, let address else { return }
        do throws(AccountError) {
            if let (exceeded, _) = try await exceeded(to: address, of: uid, .announcement, now: wallClock()) {
                return reportLost(kind.name, uid, exceeded)
            }
        } catch {
            // The store cannot count: the change was written a moment ago, and its user hears of it.
        }
        send(kind, CountedMail(recipient: address.normalized, uid: uid), to: address)
    }

    private func exceeded(
        to address: EmailAddress, of uid: String?, _ kind: MailShare, now: Int64
    ) async throws(AccountError) -> (Counted, AccountError)? {
        let service = accounts.service
        let ofClient: CountedClientAttempt
        do throws(AccountError) {
            ofClient = try await attempt(kind == .announcement ? .announcements : .mails, from: share, now: now)
        } catch {
            return try reached(.client, error)
        }
        var counted: [CountedAttempt] = []
        for (what, key, limit) in limits(to: address, of: uid, kind) {
            do throws(AccountError) {
                counted.append(try await service.attempt(key, limit: limit, window: AttemptLimit.window, now: now))
            } catch {
                // A mail that is not sent uses up nothing.
                for attempt in counted { try? await service.withdraw(attempt, now: now) }
                try? await service.withdraw(ofClient, now: now)
                return try reached(what, error)
            }
        }
        return nil
    }

    private func limits(to address: EmailAddress, of uid: String?, _ kind: MailShare) -> [(Counted, AttemptKey, Int)] {
        let isAnnouncement = kind == .announcement
        let prefix = isAnnouncement ? "announcement" : "mail"
        // Without an account, the address stands in for it, so that as much is written. What a session of the account asked for must not use up
        // the resets of the owner of its address.
        let account = kind == .reset ? "mail-account-reset" : prefix + "-account"
        var limits = [(Counted.account, key(account, uid ?? "@" + address.normalized), AttemptLimit.mailsOfAccount)]
        if !isAnnouncement {
            limits.append((.recipient, key("mail-address-" + kind.rawValue, address.normalized), AttemptLimit.mailsToAddressOfOneKind))
        }
        limits.append((.recipient, key(prefix + "-address", address.normalized), AttemptLimit.mailsToAddress))
        return limits
    }

    /// Throws any other error than that of a limit.
    private func reached(_ counted: Counted, _ error: AccountError) throws(AccountError) -> (Counted, AccountError) {
        guard error.code == .tooManyRequests else { throw error }
        return (counted, error)
    }

    private func reportLost(_ kind: String, _ uid: String?, _ exceeded: Counted) {
        context.log.write(
            .notice, "mail-limited", "mail not sent: a limit was reached",
            [
                ("kind", .text(kind)), ("reason", .text(exceeded.reason)), ("uid", .text(uid ?? "")),
                ("request_id", .text(requestID.text)),
            ])
    }
}
