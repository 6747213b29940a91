import Endpoints

/// The mails that wait to be sent, in a fair order. A value; `MailQueue` guards it.
///
/// Clients take turns, and so do the accounts of one client: many mails of one delay its own, not those of others. When no place is left, the
/// client with most mails gives up its latest one for a client with fewer, and the same holds for the accounts of one client.
struct WaitingMails<Mail: Sendable>: Sendable {
    struct Entry: Sendable {
        let id: Int
        let source: MailSource
        let mail: Mail
        /// The attempts before.
        fileprivate(set) var attempts = 0
        fileprivate var state = State.due

        fileprivate enum State: Sendable { case due, sending, delayed }
        fileprivate var account: Account { Account(client: source.client, uid: source.uid) }
    }

    fileprivate struct Account: Hashable, Sendable {
        let client: String
        let uid: String?
    }

    private let capacity: Int
    private var entries: [Int: Entry] = [:]
    private var lastID = 0
    /// When the client, or the account, had its last turn. Only of those with mails that wait.
    private var clientTurns: [String: Int] = [:]
    private var accountTurns: [Account: Int] = [:]
    private var turns = 0

    init(capacity: Int) { self.capacity = capacity }

    var count: Int { entries.count }

    enum Insertion {
        case added
        /// This one lost its place to the new one.
        case replaced(Entry)
        case refused
    }

    mutating func insert(_ mail: Mail, from source: MailSource) -> Insertion {
        lastID += 1
        let entry = Entry(id: lastID, source: source, mail: mail)
        guard entries.count >= capacity else {
            add(entry)
            return .added
        }
        guard let victim = victim(for: entry) else { return .refused }
        remove(victim)
        add(entry)
        return .replaced(victim)
    }

    /// Who comes anew waits until the others had a turn.
    private mutating func add(_ entry: Entry) {
        entries[entry.id] = entry
        if clientTurns[entry.source.client] == nil { clientTurns[entry.source.client] = turns }
        if accountTurns[entry.account] == nil { accountTurns[entry.account] = turns }
    }

    /// The latest mail of the client with most, or of the account with most; nil if the new one's has as many. One that is being sent stays.
    private func victim(for entry: Entry) -> Entry? {
        let waiting = entries.values.filter { $0.state != .sending }
        func heaviest<Key: Hashable>(_ key: (Entry) -> Key, among waiting: [Entry]) -> Entry? {
            let counts = Dictionary(grouping: waiting, by: key).mapValues(\.count)
            let own = counts[key(entry), default: 0]
            guard let most = counts.values.max(), most > own + 1 else { return nil }
            return waiting.filter { counts[key($0)] == most }.max { $0.id < $1.id }
        }
        if let found = heaviest(\.source.client, among: waiting) {
            // Of that client's, one of the account with most.
            let ofClient = waiting.filter { $0.source.client == found.source.client }
            let counts = Dictionary(grouping: ofClient, by: \.account).mapValues(\.count)
            let most = counts.values.max()
            return ofClient.filter { counts[$0.account] == most }.max { $0.id < $1.id }
        }
        return heaviest(\.account, among: waiting.filter { $0.source.client == entry.source.client })
    }

    /// The mail whose turn it is, to be sent now; nil if none is due.
    mutating func next() -> Entry? {
        let due = entries.values.filter { $0.state == .due }
        let best = due.min { first, second in
            order(of: first).lexicographicallyPrecedes(order(of: second))
        }
        guard let best else { return nil }
        turns += 1
        clientTurns[best.source.client] = turns
        accountTurns[best.account] = turns
        entries[best.id]?.state = .sending
        return best
    }

    private func order(of entry: Entry) -> [Int] {
        [clientTurns[entry.source.client] ?? 0, accountTurns[entry.account] ?? 0, entry.id]
    }

    /// The mail waits for another attempt; `resume` makes it due. False: it is gone.
    mutating func delay(_ id: Int) -> Bool {
        guard entries[id] != nil else { return false }
        entries[id]?.attempts += 1
        entries[id]?.state = .delayed
        return true
    }

    mutating func resume(_ id: Int) {
        if entries[id]?.state == .delayed { entries[id]?.state = .due }
    }

    mutating func finish(_ entry: Entry) {
        if let known = entries[entry.id] { remove(known) }
    }

    /// Takes all mails but the one that is being sent.
    mutating func removeAll() -> [Entry] {
        let waiting = entries.values.filter { $0.state != .sending }.sorted { $0.id < $1.id }
        for entry in waiting { remove(entry) }
        return waiting
    }

    private mutating func remove(_ entry: Entry) {
        entries[entry.id] = nil
        if !entries.values.contains(where: { $0.source.client == entry.source.client }) { clientTurns[entry.source.client] = nil }
        if !entries.values.contains(where: { $0.account == entry.account }) { accountTurns[entry.account] = nil }
    }
}
