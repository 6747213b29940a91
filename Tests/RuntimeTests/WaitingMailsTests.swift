import Endpoints
import Testing

@testable import Runtime

@Suite("Mails that wait, in a fair order (issue 39, item 2)")
struct WaitingMailsTests {
    private func source(_ client: String, _ uid: String? = nil) -> MailSource { MailSource(client: client, uid: uid, requestID: "1") }

    private func sent(_ waiting: inout WaitingMails<String>) -> [String] {
        var sent: [String] = []
        while let entry = waiting.next() {
            sent.append(entry.mail)
            waiting.finish(entry)
        }
        return sent
    }

    @Test func `clients take turns, and so do the accounts of one client`() {
        var waiting = WaitingMails<String>(capacity: 16)
        for number in 1...3 { _ = waiting.insert("a\(number)", from: source("a", "1")) }
        _ = waiting.insert("b1", from: source("b"))
        _ = waiting.insert("A1", from: source("a", "2"))
        let order = sent(&waiting)
        #expect(order == ["a1", "b1", "A1", "a2", "a3"])
        #expect(waiting.count == 0)
    }

    @Test func `a client that sends one mail after the other does not overtake those that wait`() throws {
        var waiting = WaitingMails<String>(capacity: 16)
        for number in 1...2 { _ = waiting.insert("a\(number)", from: source("a")) }
        var order: [String] = []
        for number in 1...3 {
            _ = waiting.insert("b\(number)", from: source("b"))
            let next = waiting.next()
            let entry = try #require(next)
            order.append(entry.mail)
            waiting.finish(entry)
        }
        #expect(order == ["a1", "b1", "a2"])
    }

    @Test func `one client cannot take the places of others`() {
        var waiting = WaitingMails<String>(capacity: 4)
        for number in 1...4 { _ = waiting.insert("a\(number)", from: source("a", "1")) }
        guard case .refused = waiting.insert("a5", from: source("a", "1")) else { return #expect(Bool(false), "it has most itself") }
        guard case .replaced(let lost) = waiting.insert("b1", from: source("b", "2")) else { return #expect(Bool(false), "b has none") }
        #expect(lost.mail == "a4")
        // Another account of the same client, whose first account still has most.
        guard case .replaced(let next) = waiting.insert("a6", from: source("a", "3")) else { return #expect(Bool(false), "3 has none") }
        #expect(next.mail == "a3")
        let rest = Set(sent(&waiting))
        #expect(rest == ["a1", "a2", "a6", "b1"])
    }

    @Test func `with one mail of each client, a further one finds no place`() {
        var waiting = WaitingMails<String>(capacity: 2)
        for client in ["a", "b"] { _ = waiting.insert(client, from: source(client)) }
        guard case .refused = waiting.insert("c", from: source("c")) else { return #expect(Bool(false)) }
        #expect(waiting.count == 2)
    }

    @Test func `the mail that is being sent keeps its place, and one that waits for another attempt is not sent before`() throws {
        var waiting = WaitingMails<String>(capacity: 2)
        _ = waiting.insert("a1", from: source("a"))
        let first = waiting.next()
        let sending = try #require(first)
        _ = waiting.insert("a2", from: source("a"))
        guard case .refused = waiting.insert("b1", from: source("b")) else { return #expect(Bool(false), "a has one that waits") }
        let isDelayed = waiting.delay(sending.id)
        #expect(isDelayed)
        let meanwhile = sent(&waiting)
        #expect(meanwhile == ["a2"])
        waiting.resume(sending.id)
        let second = waiting.next()
        let again = try #require(second)
        #expect(again.mail == "a1" && again.attempts == 1)
        let removed = waiting.removeAll()
        #expect(removed.isEmpty)
        waiting.finish(again)
        let isGone = !waiting.delay(again.id)
        #expect(waiting.count == 0 && isGone)
    }
}
