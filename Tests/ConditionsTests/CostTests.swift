import Glibc
import Testing

@testable import Conditions

/// Prints what expressions cost, when `CONDITIONS_COST` is set; meaningful for optimised builds only (docs/condition-language.md).
struct CostTests {
    private static let isWanted = getenv("CONDITIONS_COST") != nil

    private static let expressions = [
        "auth.uid == path.user", "'admins' in auth.groups", "auth.groups.exists(g, g.startsWith('adm'))", "auth.uid.matches('^[a-z]+$')",
        "request.address.inNetwork('10.0.0.0/8')", "request.time.getHours('Europe/Paris') == 0",
        "auth.uid == path.user && 'admins' in auth.groups && auth.emailVerified && auth.token.department == 'sales' "
            + "&& auth.token.level >= 3 && request.method in ['GET', 'HEAD'] && request.address.inNetwork('10.0.0.0/8') "
            + "&& request.time - auth.time < duration('24h') && request.headers['x-team'] == 'Blue' && !auth.uid.startsWith('svc-')",
    ]

    @Test(.enabled(if: isWanted, "CONDITIONS_COST is not set"))
    func evaluation() throws {
        for text in Self.expressions {
            let condition = try Condition(text, in: Sample.environment)
            let count = 200_000
            let start = Self.processorTime()
            for _ in 0..<count where try !condition.holds(Sample.bindings) { Issue.record("\(text) does not hold") }
            print("cost: \((Self.processorTime() - start) / count) ns: \(text)")
        }
    }

    private static func processorTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
