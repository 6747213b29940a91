/// The health of a target judged by requests. Pure: times are milliseconds of any steady clock.
package struct PassiveHealth: Sendable, Equatable {
    package struct Rule: Sendable, Equatable {
        /// Failures in a row.
        package var failures = 5
        /// Milliseconds.
        package var duration: Int64 = 10_000
        package init() {}
    }

    private var failures = 0
    private var ejectedUntil: Int64 = .min

    package init() {}

    /// A response head came.
    package mutating func succeeded() {
        if failures != 0 {
            failures = 0
            ejectedUntil = .min
        }
    }

    /// No usable answer came. True when the target is left out from now on.
    package mutating func failed(_ rule: Rule, now: Int64) -> Bool {
        failures += 1
        guard failures >= rule.failures, !isEjected(now: now) else { return false }
        ejectedUntil = now + rule.duration
        return true
    }

    /// Once its time is over a target is tried again; the failures still count, so one more leaves it out again.
    package func isEjected(now: Int64) -> Bool { now < ejectedUntil }
}

/// Turns the results of active checks into a verdict. Pure.
package struct CheckedHealth: Sendable, Equatable {
    package private(set) var isHealthy = true
    private var streak = 0

    package init() {}

    /// True when the verdict changes.
    package mutating func record(_ isGood: Bool, _ rule: HealthRule) -> Bool {
        guard isGood != isHealthy else {
            streak = 0
            return false
        }
        streak += 1
        guard streak >= (isGood ? rule.healthyAfter : rule.unhealthyAfter) else { return false }
        streak = 0
        isHealthy = isGood
        return true
    }
}
