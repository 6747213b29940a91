import Testing

@testable import SignIn

/// Apart, because `#expect` cannot hold a mutating call.
private func consume(_ consumed: inout ConsumedTransactions, _ id: LoginID, now: Int64) -> Bool { consumed.consume(id, now: now) }

@Suite struct ConsumedTransactionsTests {
    @Test func `an id is consumed once within its lifetime`() {
        var consumed = ConsumedTransactions()
        let id = LoginID(now: epoch)
        #expect(consume(&consumed, id, now: epoch))
        #expect(!consume(&consumed, id, now: epoch))
        #expect(!consume(&consumed, id, now: epoch + LoginTransaction.lifetime - 1))
        #expect(!consume(&consumed, id, now: epoch + LoginTransaction.lifetime))
    }

    @Test func `an id survives the turn of a generation`() {
        var consumed = ConsumedTransactions()
        #expect(consume(&consumed, LoginID(now: epoch), now: epoch))
        let id = LoginID(now: epoch)
        let late = epoch + LoginTransaction.lifetime - 1
        #expect(consume(&consumed, id, now: late))
        #expect(consume(&consumed, LoginID(now: epoch), now: late + 2))
        #expect(!consume(&consumed, id, now: late + LoginTransaction.lifetime - 1))
    }

    @Test func `memory is bounded`() {
        var consumed = ConsumedTransactions(capacity: 100)
        for _ in 0..<10_000 { #expect(consume(&consumed, LoginID(now: epoch), now: epoch)) }
        #expect(consumed.count <= 200)
    }
}
