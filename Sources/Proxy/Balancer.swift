/// Chooses among targets: the fewest requests in flight, ties in rotation. Pure.
package struct Balancer: Sendable {
    package struct Candidate: Sendable {
        package var load: Int
        /// Neither ejected nor failing its checks.
        package var isUsable: Bool
        package init(load: Int, isUsable: Bool) {
            self.load = load
            self.isUsable = isUsable
        }
    }

    private var next = 0

    package init() {}

    /// The index of the target to use; nil when `excluded` is the only one.
    ///
    /// If none is usable, all are tried: a request that may fail is better than one that was not sent.
    package mutating func pick(of count: Int, excluding excluded: Int? = nil, candidate: (Int) -> Candidate) -> Int? {
        if let index = pick(of: count, excluded, { candidate($0).isUsable }, load: { candidate($0).load }) { return index }
        return pick(of: count, excluded, { _ in true }, load: { candidate($0).load })
    }

    private mutating func pick(of count: Int, _ excluded: Int?, _ isAllowed: (Int) -> Bool, load: (Int) -> Int) -> Int? {
        var best: Int?
        var least = Int.max
        for offset in 0..<count {
            let index = (next + offset) % count
            guard index != excluded, isAllowed(index) else { continue }
            let load = load(index)
            if load < least {
                least = load
                best = index
            }
        }
        if let best { next = (best + 1) % count }
        return best
    }
}
