import Accounts
import Primitives
import TokenCrypto

/// A text message that was counted. Only `SecondFactorService.count` makes one, and nothing else can be sent.
package struct CountedMessage: Sendable {
    package let number: PhoneNumber

    fileprivate init(_ number: PhoneNumber) { self.number = number }
}

/// The purpose of a text message.
enum MessagePurpose: Sendable {
    /// The number becomes a factor. Nobody has proven that it is the user's.
    case enrolment
    /// The account has the number as a factor.
    case use
}

/// The one place that counts text messages (contract section 9): each counts against its number, the account and the client's networks,
/// and all of them together by day.
///
/// A stranger can ask for messages to any number, and use up its owner's. So enrolments count apart from sign-ins: only an account that has
/// a number as a factor can use up what its user needs to sign in. The account's three are for both, as nobody else can use them up.
extension SecondFactorService {
    private struct Limit {
        let scope: String
        let subject: String
        let most: Int
        let window: Int64
        let reason: String

        init(_ scope: String, _ subject: String, _ most: Int, _ reason: String, in window: Int64 = quarter) {
            self.scope = scope
            self.subject = subject
            self.most = most
            self.window = window
            self.reason = reason
        }
    }

    /// Milliseconds.
    private static let quarter: Int64 = 15 * 60_000
    private static let day: Int64 = 86_400_000

    /// Counts a message before it is sent. Throws `too-many-requests` beyond a limit, and nothing is used up then.
    ///
    /// `client`: the client's own network, an IPv4 address or an IPv6 /64.
    func count(
        to number: PhoneNumber, of uid: String, from client: String, for purpose: MessagePurpose, now: Int64
    ) async throws(AccountError) -> CountedMessage {
        var counted: [CountedAttempt] = []
        for limit in limits(number, uid, client, purpose) {
            do throws(AccountError) {
                counted.append(try await attempt(limit, now: now))
            } catch {
                for attempt in counted { try? await accounts.withdraw(attempt, now: now) }
                guard error.code == .tooManyRequests else { throw error }
                throw AccountError(.tooManyRequests, reason: limit.reason, retryAfter: error.retryAfter)
            }
        }
        return CountedMessage(number)
    }

    private func limits(_ number: PhoneNumber, _ uid: String, _ client: String, _ purpose: MessagePurpose) -> [Limit] {
        let account = Limit("factor-message", uid, 3, "too many text messages for one account")
        let total = Limit("message-day", "", messagesPerDay, "secondFactor.phone.messagesPerDay is used up", in: Self.day)
        let number = number.text
        switch purpose {
        case .enrolment:
            // One client may not use up what new numbers have in a day.
            return Self.ofClient("", client, 10) + Self.ofClient("-day", client, 50, " in a day", in: Self.day) + [
                account,
                Limit("message-number", number, 5, "too many text messages to one number"),
                Limit("message-number-day", number, 10, "too many text messages to one number in a day", in: Self.day),
                // Strangers can make accounts and add numbers: they leave half of the messages to users who sign in.
                Limit(
                    "message-enrolment-day", "", (messagesPerDay + 1) / 2, "half of secondFactor.phone.messagesPerDay is used up",
                    in: Self.day),
                total,
            ]
        case .use:
            // A whole office can sign in behind one address.
            return Self.ofClient("-use", client, 100) + [
                account,
                Limit("message-number-use", number, 5, "too many text messages to one number"),
                Limit("message-number-use-day", number, 10, "too many text messages to one number in a day", in: Self.day),
                total,
            ]
        }
    }

    /// One customer can have a whole IPv6 /48: it gets four times as many.
    private static func ofClient(
        _ suffix: String, _ client: String, _ most: Int, _ period: String = "", in window: Int64 = quarter
    ) -> [Limit] {
        let own = Limit("message-client\(suffix)", client, most, "too many text messages for one client\(period)", in: window)
        guard let address = NetworkAddress(client), !address.isIPv4 else { return [own] }
        let reason = "too many text messages for the /48 of one client\(period)"
        return [own, Limit("message-site\(suffix)", address.site.description, 4 * most, reason, in: window)]
    }

    /// The store keeps a bounded number of times under one key, so a greater limit has several, and each its part of it.
    private func attempt(_ limit: Limit, now: Int64) async throws(AccountError) -> CountedAttempt {
        let part = AttemptKey.greatestLimit
        let parts = max(1, (limit.most + part - 1) / part)
        // Where the search begins does not change the sum. It spreads the writes.
        let first = parts == 1 ? 0 : Int(random(1).first ?? 0) % parts
        var soonest: AccountError?
        for offset in 0..<parts {
            let index = (first + offset) % parts
            let key = AttemptKey(
                scope: limit.scope, subject: index == 0 ? limit.subject : "\(limit.subject)\0\(index)", key: attemptKey)
            do throws(AccountError) {
                return try await accounts.attempt(key, limit: min(part, limit.most - index * part), window: limit.window, now: now)
            } catch {
                guard error.code == .tooManyRequests else { throw error }
                if soonest.map({ (error.retryAfter ?? .max) < ($0.retryAfter ?? .max) }) ?? true { soonest = error }
            }
        }
        throw soonest ?? AccountError(.tooManyRequests)
    }
}
