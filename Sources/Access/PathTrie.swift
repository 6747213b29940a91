/// The path patterns of many routes as one tree of segments, which finds the first route that matches.
///
/// A search visits only what the path leads to, and leaves out every subtree whose first route comes behind one that was already found.
/// Asked with the segments of a pattern instead of those of a path, the same search finds the first pattern that covers it.
struct PathTrie: Sendable {
    /// No route, or no leaf.
    static let none = UInt32.max

    struct Node: Sendable, BitwiseCopyable {
        /// The first route at this node or below it.
        var first: UInt32
        /// The child for `*` and captures; 0: there is none, since the root is nobody's child.
        var one: UInt32 = 0
        /// The child behind a `**` that is not the last segment; 0: there is none.
        var gap: UInt32 = 0
        /// Position among the nodes behind a `**`.
        var gapNumber: UInt32 = 0
        /// The leaf of the patterns that end here.
        var exact = PathTrie.none
        /// The leaf of the patterns that end here with `**`: they match whatever follows.
        var rest = PathTrie.none
        var hasLiterals = false
    }

    private var nodes: [Node] = []
    /// The children for literals, with their parent as scope.
    private var literals = ByteTable()
    private var gapCount: UInt32 = 0
    private var leafCount: UInt32 = 0

    /// Adds the root of another tree: each host pattern has its own.
    mutating func addRoot() -> UInt32 { addNode(first: Self.none) }

    /// Adds a pattern of a route behind those that were added before. Literals are in lower case where case is ignored.
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

    /// A tree that is complete.
    struct Frozen: Sendable {
        private let nodes: FrozenArray<Node>
        private let literals: ByteTable.Frozen
        private let gapCount: Int

        init(_ trie: PathTrie) {
            nodes = FrozenArray(trie.nodes)
            literals = ByteTable.Frozen(trie.literals)
            gapCount = Int(trie.gapCount)
        }

        /// Whether a tree holds no route.
        func isEmpty(root: UInt32) -> Bool { nodes.elements[Int(root)].first == PathTrie.none }

        /// Runs a search, with the memory that it needs.
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
            // Up to 8,192 of them lie on the stack.
            return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: (gapCount + 63) / 64, run)
        }
    }
}

/// The segments of a path, or of a pattern, in order.
protocol PathSegments {
    var start: Int { get }
    /// The position behind the last segment.
    var end: Int { get }
    /// The children of a node that the segment at `position` leads to.
    func step(at position: Int, from node: UInt32, _ literals: ByteTable.ViewPointer?) -> PathStep
}

struct PathStep {
    /// The position of the next segment.
    var next: Int
    /// The child for the literal; 0: there is none.
    var literal: UInt32 = 0
    /// `*` and captures match the segment.
    var matchesOne: Bool
}

/// Chooses among the routes of one leaf, which differ in their methods.
protocol LeafSelection {
    /// The first route of a leaf that qualifies, `PathTrie.none` or any later one if there is none before `limit`.
    func first(of leaf: UInt32, before limit: UInt32) -> UInt32
}

/// One search through a `PathTrie`. Recursion is bounded by the depth of the tree.
struct PathSearch<Segments: PathSegments, Leaves: LeafSelection> {
    let segments: Segments
    let leaves: Leaves
    /// The first route that was found so far, or the limit.
    private(set) var best: UInt32
    /// How many more nodes may be visited. The result means nothing once none remain.
    private(set) var remainingSteps: Int
    private let nodes: UnsafeBufferPointer<PathTrie.Node>
    private let literals: ByteTable.ViewPointer
    /// A bit for each node behind a `**`.
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

    /// Whether something earlier than the best may lie below a node.
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

    /// Lets a `**` skip segments, one more each time.
    ///
    /// Positions come in ascending order, so the first time that a node is entered is the only one that counts: from there the `**` can
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

    /// Visits all but one of the promising children that a segment leads to, and returns that one.
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
