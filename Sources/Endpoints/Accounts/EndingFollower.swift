package import Accounts
import Logging
package import Sessions
import Synchronization
package import Telemetry

/// Follows the endings that the store has, and ends the sessions that they name in this process.
///
/// It begins with endings that can still mean a session, and begins anew for a list that knows none of them, or when longer limits make older
/// endings count again.
package actor EndingFollower {
    /// More than one page in a row is rare: after a start, or a long outage.
    private static let page = 1_000

    /// What was read for one list of ends.
    private struct Reading {
        let id: Int
        /// Names the list.
        let ends: EndCount
        /// How old an ending may be that was read.
        let memory: Int64
        /// nil: none was read.
        var cursor: Int64?
        /// Endings that were not carried out, by account and provider.
        var failed: [[String?]: SessionEnding] = [:]
    }

    private var reading: Reading?
    private var readings = 0
    private let failureBox = Mutex("")
    /// The reason why the store does not answer; empty while it does.
    package nonisolated var failure: String { failureBox.withLock { $0 } }

    package init() {}

    /// Applies what is new.
    package func follow(_ service: AccountService, _ sessions: SessionService, _ log: EventLog) async {
        let begun = begin(sessions)
        for ending in begun.failed.values { await apply(ending, begun, sessions, log) }
        var cursor = begun.cursor
        while true {
            let endings: [NumberedEnding]
            do throws(AccountError) {
                let start: Int64
                if let cursor { start = cursor } else { start = try await service.endingCursor(since: wallClock() - begun.memory) }
                endings = try await service.endings(after: start, limit: Self.page)
                cursor = start
                if !failure.isEmpty {
                    failureBox.withLock { $0 = "" }
                    log.write(.notice, "account-store-recovered", "the account store answers again")
                }
            } catch {
                let reason = error.reason ?? error.code.rawValue
                if failure.isEmpty {
                    log.write(
                        .error, "account-store-unavailable", "the account store does not answer; sign-ins return 503",
                        [("reason", .text(reason))])
                }
                failureBox.withLock { $0 = reason }
                return
            }
            for numbered in endings {
                await apply(numbered.ending, begun, sessions, log)
                cursor = numbered.number
            }
            guard endings.count == Self.page else { return advance(begun, to: cursor) }
        }
    }

    /// The reading of a configuration's list, as far as it is.
    private func begin(_ sessions: SessionService) -> Reading {
        let memory = sessions.limits.endingMemory
        if let reading, reading.ends === sessions.ends, reading.memory >= memory { return reading }
        readings += 1
        let begun = Reading(id: readings, ends: sessions.ends, memory: memory)
        reading = begun
        return begun
    }

    /// Calls may run at the same time, and one for another configuration may have begun a reading of its own.
    private func advance(_ begun: Reading, to number: Int64?) {
        guard let reading, reading.id == begun.id, let number else { return }
        self.reading?.cursor = max(number, reading.cursor ?? number)
    }

    /// An ending that fails is tried again with the next call, and stops none behind it.
    private func apply(_ ending: SessionEnding, _ begun: Reading, _ sessions: SessionService, _ log: EventLog) async {
        let key = [ending.uid, ending.provider]
        do throws(SessionStoreError) {
            try await sessions.end(
                AccountEnding(uid: ending.uid, provider: ending.provider, issuedUpTo: ending.before), now: wallClock())
            if reading?.id == begun.id, (reading?.failed[key]?.before ?? .max) <= ending.before { reading?.failed[key] = nil }
        } catch {
            guard reading?.id == begun.id, (reading?.failed[key]?.before ?? .min) < ending.before else { return }
            reading?.failed[key] = ending
            log.write(
                .error, "account-sessions-not-ended", "the sessions of an account were not ended: \(error.words)",
                [("uid", .text(ending.uid))])
        }
    }
}
