/// Shares the introspection requests that may be under way at one provider among the clients whose tokens cause them.
///
/// A client gets a slot as long as it holds fewer than are free: one client alone gets half of them, and its junk tokens never block the
/// tokens of another. It is no limit for several clients together: each in turn can take half of what is left, so that seven that ask
/// one after the other hold all 64.
struct IntrospectionSlots: Sendable {
    private let capacity: Int
    private var held: [String: Int] = [:]
    private var taken = 0

    init(capacity: Int = 64) { self.capacity = capacity }

    /// False: this client has its share. Every true is followed by one `release`.
    mutating func take(for client: String) -> Bool {
        let own = self.held[client, default: 0]
        guard own < self.capacity - self.taken else { return false }
        self.held[client] = own + 1
        self.taken += 1
        return true
    }

    mutating func release(for client: String) {
        guard let own = self.held[client] else { return }
        self.held[client] = own > 1 ? own - 1 : nil
        self.taken -= 1
    }
}
