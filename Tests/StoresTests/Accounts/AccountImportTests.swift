import Testing

@testable import Accounts
@testable import Stores

@Suite("Imports of many accounts")
struct AccountImportTests {
    private static func record(_ uid: String, email: String? = nil, subject: String? = nil) -> AccountRecord {
        let identities = subject.map { [LinkedIdentity(provider: "p", issuer: "https://p.example", subject: $0, linkedAt: 2)] } ?? []
        return AccountRecord(
            account: Account(
                uid: uid, email: email.flatMap(EmailAddress.init), verification: email == nil ? nil : .operation,
                provenAt: email == nil ? nil : 1, createdAt: 1, identities: identities),
            passwordHash: nil)
    }

    @Test(arguments: AccountDatabase.all)
    func `accounts are stored together, in any number`(database: AccountDatabase) async throws {
        let service = try await database.make().service()
        let records = (0..<250).map { Self.record("user\($0)", email: "user\($0)@example.com", subject: "\($0)") }
        let results = try await service.import(records)
        #expect(results == records.map { .success(.created($0.account)) })
        #expect(try await service.records(after: nil, limit: 1_000).count == 250)
        #expect(try await service.import([]) == [])
    }

    @Test(arguments: AccountDatabase.all)
    func `one that is refused does not keep the others out, and its result names the reason`(database: AccountDatabase) async throws {
        let service = try await database.make().service()
        _ = try await service.import([Self.record("a", email: "a@example.com", subject: "1")])
        let records = [
            Self.record("b", email: "b@example.com"), Self.record("a"), Self.record("c", email: "A@example.com"),
            Self.record("d", subject: "1"), Self.record("e", subject: String(repeating: "x", count: 2_001)), Self.record("f"),
        ]
        #expect(
            try await service.import(records) == [
                .success(.created(records[0].account)), .success(.taken(.uid)), .success(.taken(.address)), .success(.taken(.identity)),
                .failure(AccountRules.notStorable), .success(.created(records[5].account)),
            ])
        #expect(try await service.records(after: nil, limit: 10).map(\.account.uid) == ["a", "b", "f"])
    }

    @Test(arguments: AccountDatabase.all)
    func `an exported store is imported into another one as it was`(database: AccountDatabase) async throws {
        let (source, target) = (try await database.make().service(), try await database.make().service())
        _ = try await source.import((0..<30).map { Self.record("u\($0)", email: "u\($0)@example.com", subject: "\($0)") })
        let lines = try await source.records(after: nil, limit: 100).map(AccountDocument.exported)
        _ = try await target.import(try lines.map { try AccountDocument.record(parsing: $0, now: 0) })
        #expect(try await target.records(after: nil, limit: 100).map(AccountDocument.exported) == lines)
    }
}
