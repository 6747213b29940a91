/// A bounded cache of verdicts on tokens. Pure: times are Unix milliseconds.
///
/// Refused tokens are evicted first, because any client can invent them.
struct BearerMemory<Key: Hashable> {
    private struct Entry {
        let verdict: BearerTokens.Verdict
        let until: Int64
    }

    private let capacity: Int
    private var entries: [Key: Entry] = [:]

    init(capacity: Int) { self.capacity = capacity }

    func verdict(of key: Key, now: Int64) -> BearerTokens.Verdict? {
        guard let entry = entries[key], entry.until > now else { return nil }
        return entry.verdict
    }

    mutating func insert(_ verdict: BearerTokens.Verdict, of key: Key, until: Int64, now: Int64) {
        if entries.count >= capacity { makeRoom(now) }
        entries[key] = Entry(verdict: verdict, until: until)
    }

    private mutating func makeRoom(_ now: Int64) {
        entries = entries.filter { $0.value.until > now }
        guard entries.count >= capacity else { return }
        entries = entries.filter { if case .accepted = $0.value.verdict { true } else { false } }
        if entries.count >= capacity { entries = [:] }
    }
}
