import Access
import Config
import Sessions
import Testing

@Suite struct PermitMemoryTests {
    private func match(_ table: RouteTable, _ path: String) throws -> RouteMatch {
        guard case .matched(let match) = table.resolve(path) else { throw NoMatch() }
        return match
    }

    private struct NoMatch: Error {}

    private func isPermit(_ decision: Decision) -> Bool {
        if case .permit = decision { true } else { false }
    }

    private func groups(_ names: String...) -> AccessRule {
        var conditions = AccessConditions()
        conditions.groups = names
        return .all(conditions)
    }

    @Test("A permit is found again without a look at the session, on its own route only")
    func remembers() throws {
        let table = try RouteTable(
            makeConfiguration([makeRoute("/a"), makeRoute("/b", access: groups("x")), makeRoute("/c", access: groups("staff"))]))
        var memory = PermitMemory()
        var reads = 0
        func session() -> Session {
            reads += 1
            return makeSession(groups: ["staff"])
        }
        for _ in 0..<3 {
            #expect(isPermit(memory.decide(for: try match(table, "/c"), signedIn: session(), now: 0)))
            #expect(!isPermit(memory.decide(for: try match(table, "/b"), signedIn: session(), now: 0)))
        }
        #expect(reads == 4)
        #expect(isPermit(memory.decide(for: try match(table, "/other"), signedIn: session(), now: 0)))
    }

    @Test("CVE-2021-41230: after a reload the new rules are asked")
    func reload() throws {
        var memory = PermitMemory()
        let session = makeSession(groups: ["staff"])
        let before = try RouteTable(makeConfiguration([makeRoute("/a", access: groups("staff"))]))
        let after = try RouteTable(makeConfiguration([makeRoute("/a", access: groups("admins"))]))
        #expect(isPermit(memory.decide(for: try match(before, "/a"), signedIn: session, now: 0)))
        #expect(!isPermit(memory.decide(for: try match(after, "/a"), signedIn: session, now: 0)))
    }

    @Test("A rule with `maxAge` is asked every time")
    func time() throws {
        var conditions = AccessConditions()
        conditions.maxAge = 1000
        let table = try RouteTable(makeConfiguration([makeRoute("/a", access: .all(conditions))]))
        var memory = PermitMemory()
        let session = makeSession(authTime: 0)
        #expect(isPermit(memory.decide(for: try match(table, "/a"), signedIn: session, now: 1000)))
        #expect(!isPermit(memory.decide(for: try match(table, "/a"), signedIn: session, now: 1001)))
    }
}
