package import Accounts
import Primitives
package import TokenCrypto

/// A sign-in between the first and the second factor: there is no session yet.
///
/// Only a first factor leads to it: the caller makes it after `AccountService` has written the sign-in, or for a session that needs a second
/// factor.
package struct WaitingSignIn: PendingPayload {
    package static let purpose = "second factor"

    /// What the user must do.
    package enum Task: String, Sendable { case verify, enrol }

    package let task: Task
    /// What the caller needs to make the session: opaque here, and as secret as the session. Empty: the session exists and lacks the factor.
    package let session: [UInt8]

    package init(_ task: Task, session: [UInt8]) {
        self.task = task
        self.session = session
    }

    package init?(members: [String: JSONValue]) {
        guard let task = members["task"]?.string.flatMap(Task.init), let session = members.bytes("data") else { return nil }
        self.init(task, session: session)
    }

    package var members: [String: JSONValue] {
        ["task": .string(task.rawValue), "data": .string(Base64URL.encode(session))]
    }
}

/// The session must not begin later than `startedAt`, when the first factor was proven: endings of the account's sessions end it, too.
package typealias PendingSecondFactor = Pending<WaitingSignIn>

extension Pending where Payload == WaitingSignIn {
    package init(_ account: Account, task: WaitingSignIn.Task, session: [UInt8], now: Int64) {
        self.init(WaitingSignIn(task, session: session), of: account, now: now)
    }

    package var task: WaitingSignIn.Task { payload.task }
    package var session: [UInt8] { payload.session }
}
