/// A bounded cache of verdicts on tokens. Pure: times are Unix milliseconds.
///
/// Refused tokens are kept apart, because any client can invent them: they evict only each other.
struct BearerMemory<Key: Hashable> {
    private final class Entry: SecondChanceEntry {
        let key: Key
        let verdict: BearerTokens.Verdict
        let until: Int64
        var slot = 0
        var wasUsed = false

        init(_ key: Key, _ verdict: BearerTokens.Verdict, until: Int64) {
            self.key = key
            self.verdict = verdict
            self.until = until
        }
    }

    private var accepted: SecondChanceCache<Entry>
    private var refused: SecondChanceCache<Entry>

    /// `capacity`: of each kind.
    init(capacity: Int) {
        accepted = SecondChanceCache(capacity: capacity)
        refused = SecondChanceCache(capacity: capacity)
    }

    func verdict(of key: Key, now: Int64) -> BearerTokens.Verdict? {
        guard let entry = accepted.find(key) ?? refused.find(key), entry.until > now else { return nil }
        entry.wasUsed = true
        return entry.verdict
    }

    mutating func insert(_ verdict: BearerTokens.Verdict, of key: Key, until: Int64) {
        if let earlier = accepted.find(key) { accepted.remove(earlier) }
        if let earlier = refused.find(key) { refused.remove(earlier) }
        let entry = Entry(key, verdict, until: until)
        if case .accepted = verdict { accepted.insert(entry) } else { refused.insert(entry) }
    }
}
