import Sessions
import Telemetry
import Testing

@testable import Serving

@Suite struct RevocationReadinessTests {
    @Test func `the fill of the lists shows, and a full list fails without making the gateway unready`() {
        let lists = [
            RevocationList(.sessions, count: 5, limit: 10), RevocationList(.anonymous, count: 2, limit: 2),
            RevocationList(.accounts, count: 7, limit: nil),
        ]
        let full = RevocationReadiness.check(lists)
        #expect(!full.isPassing && !full.isRequired && full.name == "ended-sessions")
        #expect(
            full.detail == "anonymous is full, and sign-outs of anonymous users answer 503 until entries expire; "
                + "sessions 5 of 10, anonymous 2 of 2, accounts 7")
        let fits = RevocationReadiness.check([lists[0], lists[2]])
        #expect(fits.isPassing && fits.detail == "sessions 5 of 10, accounts 7")
    }
}
