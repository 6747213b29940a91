/// The path patterns of all routes as a tree of segments, which finds the first matching route.
///
/// A search visits only nodes that the path leads to, and skips subtrees whose first route comes after one that was already found.
/// With the segments of a pattern instead of a path, the same search finds the first pattern that covers it.
struct PathTrie: Sendable {
    /// No route, or no leaf.
    static let none = UInt32.max

    struct Node: Sendable, BitwiseCopyable {
        /// The first route at this node or below it.
        var first: UInt32
        /// The child for `*` and captures; 0 for none, because the root is never a child.
        var one: UInt32 = 0
        /// The child after a `**` that is not the last segment; 0 for none.
        var gap: UInt32 = 0
        /// The index among the nodes after a `**`.
        var gapNumber: UInt32 = 0
        /// The leaf of patterns that end here.
        var exact = PathTrie.none
        /// The leaf of patterns that end here with `**` and match any rest.
        var rest = PathTrie.none
        var hasLiterals = false
    }

    private var nodes: [Node] = []
    /// The children for literals; the scope is their parent.
    private var literals = ByteTable()
    private var gapCount: UInt32 = 0
    private var leafCount: UInt32 = 0

    /// Adds the root of another tree; each host pattern has its own.
    mutating func addRoot() -> UInt32 { addNode(first: Self.none) }

    /// Adds a pattern of a route after those already added. Literals are in lower case if case is ignored.
    /// - Returns: the leaf that the route belongs to.
    mutating func insert(_ segments: [RoutePattern.Segment], root: UInt32, route: UInt32) -> UInt32 {
        var node = root
        note(route, at: node)
        let endsOpen = segments.last == .anyNumber
        for segment in endsOpen ? segments.dropLast() : segments[...] {
            node = child(of: node, for: segment, route)
            note(route, at: node)
        }
        let leaf = endsOpen ? nodes[Int(node)].rest : nodes[Int(node)].exact
        if leaf != Self.none { return leaf }
        defer { leafCount += 1 }
        if endsOpen { nodes[Int(node)].rest = leafCount } else { nodes[Int(node)].exact = leafCount }
        return leafCount
    }

    private mutating func note(_ route: UInt32, at node: UInt32) {
        nodes[Int(node)].first = min(nodes[Int(node)].first, route)
    }

    private mutating func addNode(first: UInt32) -> UInt32 {
        nodes.append(Node(first: first))
        return UInt32(truncatingIfNeeded: nodes.count - 1)
    }

    private mutating func child(of parent: UInt32, for segment: RoutePattern.Segment, _ route: UInt32) -> UInt32 {
        switch segment {
        case .literal(let literal):
            var hash = ByteHash(scope: parent)
            for byte in literal { hash.add(byte) }
            let known = literals.value(of: literal, hash: hash, scope: parent)
            if known != 0 { return known }
            let child = addNode(first: route)
            literals.insert(literal, hash: hash, scope: parent, value: child)
            nodes[Int(parent)].hasLiterals = true
            return child
        case .one, .capture:
            if nodes[Int(parent)].one == 0 { nodes[Int(parent)].one = addNode(first: route) }
            return nodes[Int(parent)].one
        case .anyNumber:
            if nodes[Int(parent)].gap == 0 {
                let child = addNode(first: route)
                nodes[Int(child)].gapNumber = gapCount
                gapCount += 1
                nodes[Int(parent)].gap = child
            }
            return nodes[Int(parent)].gap
        }
    }

    /// The completed tree.
    struct Frozen: Sendable {
        private let nodes: FrozenArray<Node>
        private let literals: ByteTable.Frozen
        private let gapCount: Int

        init(_ trie: PathTrie) {
            nodes = FrozenArray(trie.nodes)
            literals = ByteTable.Frozen(trie.literals)
            gapCount = Int(trie.gapCount)
        }

        /// Returns whether a tree contains no route.
        func isEmpty(root: UInt32) -> Bool { nodes.elements[Int(root)].first == PathTrie.none }

        /// Runs a search with temporary memory.
        @inline(__always)
        func withSearch<Segments: PathSegments, Leaves: LeafSelection, Result>(
            for segments: Segments, in leaves: Leaves, before limit: UInt32, steps: Int,
            _ body: (inout PathSearch<Segments, Leaves>) -> Result
        ) -> Result {
            let nodes = nodes.elements
            let literals = literals.view
            func run(_ enteredGaps: UnsafeMutableBufferPointer<UInt64>) -> Result {
                enteredGaps.initialize(repeating: 0)
                var search = PathSearch(
                    segments: segments, leaves: leaves, best: limit, remainingSteps: steps, nodes: nodes, literals: literals,
                    enteredGaps: enteredGaps)
                return body(&search)
            }
            if gapCount == 0 { return run(UnsafeMutableBufferPointer(start: nil, count: 0)) }
            // Up to 8,192 nodes are on the stack.
            return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: (gapCount + 63) / 64, run)
        }
    }
}

/// The segments of a path, or of a pattern, in order.
protocol PathSegments {
    var start: Int { get }
    /// The position after the last segment.
    var end: Int { get }
    /// The children of a node that the segment at `position` leads to.
    func step(at position: Int, from node: UInt32, _ literals: ByteTable.ViewPointer?) -> PathStep
}

struct PathStep {
    /// The position of the next segment.
    var next: Int
    /// The child for the literal; 0 for none.
    var literal: UInt32 = 0
    /// True if `*` and captures match the segment.
    var matchesOne: Bool
}

/// Selects among the routes of a leaf, which differ in their methods.
protocol LeafSelection {
    /// The first matching route of a leaf. Without one before `limit`, returns `PathTrie.none` or any later route.
    func first(of leaf: UInt32, before limit: UInt32) -> UInt32
}

/// A search through a `PathTrie`. The depth of the tree bounds the recursion.
struct PathSearch<Segments: PathSegments, Leaves: LeafSelection> {
    let segments: Segments
    let leaves: Leaves
    /// The first route found so far, or the limit.
    private(set) var best: UInt32
    /// The number of nodes that may still be visited. At 0, the result is undefined.
    private(set) var remainingSteps: Int
    private let nodes: UnsafeBufferPointer<PathTrie.Node>
    private let literals: ByteTable.ViewPointer
    /// A bit per node after a `**`.
    private let enteredGaps: UnsafeMutableBufferPointer<UInt64>

    fileprivate init(
        segments: Segments, leaves: Leaves, best: UInt32, remainingSteps: Int, nodes: UnsafeBufferPointer<PathTrie.Node>,
        literals: ByteTable.ViewPointer, enteredGaps: UnsafeMutableBufferPointer<UInt64>
    ) {
        self.segments = segments
        self.leaves = leaves
        self.best = best
        self.remainingSteps = remainingSteps
        self.nodes = nodes
        self.literals = literals
        self.enteredGaps = enteredGaps
    }

    mutating func search(from root: UInt32) {
        if isPromising(root) { visit(root, at: segments.start) }
    }

    /// Returns whether a subtree may contain an earlier route than the best.
    private func isPromising(_ node: UInt32) -> Bool { nodes[Int(node)].first < best && remainingSteps > 0 }

    private mutating func visit(_ start: UInt32, at startPosition: Int) {
        var node = start
        var position = startPosition
        while true {
            remainingSteps -= 1
            if nodes[Int(node)].rest != PathTrie.none { consider(nodes[Int(node)].rest) }
            guard position != segments.end else {
                if nodes[Int(node)].exact != PathTrie.none { consider(nodes[Int(node)].exact) }
                return
            }
            let gap = nodes[Int(node)].gap
            if gap != 0, isPromising(gap) { enter(gap, at: position) }
            guard nodes[Int(node)].hasLiterals || nodes[Int(node)].one != 0 else { return }
            let step = step(at: position, from: node)
            guard let child = lastChild(of: node, for: step) else { return }
            node = child
            position = step.next
        }
    }

    /// Matches a `**` against a growing number of segments.
    ///
    /// Positions are ascending, so only the first visit of a node counts: from there the `**` can
    /// skip to every later position.
    private mutating func enter(_ gap: UInt32, at startPosition: Int) {
        let number = nodes[Int(gap)].gapNumber
        let bit = UInt64(1) << UInt64(number % 64)
        guard enteredGaps[Int(number / 64)] & bit == 0 else { return }
        enteredGaps[Int(number / 64)] |= bit
        var position = startPosition
        while position != segments.end, isPromising(gap) {
            remainingSteps -= 1
            let step = step(at: position, from: gap)
            if let child = lastChild(of: gap, for: step) { visit(child, at: step.next) }
            position = step.next
        }
    }

    private func step(at position: Int, from node: UInt32) -> PathStep {
        segments.step(at: position, from: node, nodes[Int(node)].hasLiterals ? literals : nil)
    }

    /// Visits all promising children of a segment except the last, and returns that one.
    private mutating func lastChild(of node: UInt32, for step: PathStep) -> UInt32? {
        let one = step.matchesOne ? nodes[Int(node)].one : 0
        if step.literal != 0, isPromising(step.literal) {
            guard one != 0, isPromising(one) else { return step.literal }
            visit(step.literal, at: step.next)
        }
        return one != 0 && isPromising(one) ? one : nil
    }

    private mutating func consider(_ leaf: UInt32) { best = min(best, leaves.first(of: leaf, before: best)) }
}
