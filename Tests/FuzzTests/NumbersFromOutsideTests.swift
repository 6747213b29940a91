import FuzzTargets
import Testing

/// Every place where a number enters (docs/numbers.md), with the extremes of its type. A trap ends the test process.
@Suite struct NumbersFromOutsideTests {
    @Test("No number from outside traps", arguments: NumberEntry.allCases)
    func extremes(entry: NumberEntry) {
        for number in HostileNumber.texts {
            #expect(entry.broken(by: number) == nil, "\(entry.rawValue): `\(number)`")
        }
    }
}
