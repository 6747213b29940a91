/// A part of a pattern.
indirect enum PatternNode {
    case empty
    case scalar(Unicode.Scalar, folds: Bool)
    case set(ScalarSet)
    case any
    case anyButNewline
    case assertion(PatternAssertion)
    case sequence([PatternNode])
    case choice([PatternNode])
    /// `maximum` is nil without an upper bound.
    case repetition(PatternNode, minimum: Int, maximum: Int?)

    /// The number of instructions, or more; at least 1.
    var size: Int {
        switch self {
        case .empty, .scalar, .set, .any, .anyButNewline, .assertion: 1
        case .sequence(let nodes): max(1, nodes.reduce(0) { $0 + $1.size })
        case .choice(let nodes): nodes.reduce(0) { $0 + $1.size + 2 }
        case .repetition(let node, let minimum, let maximum): (node.size + 2) * max(maximum ?? minimum + 1, 1)
        }
    }
}

/// Writes the instructions of a pattern.
struct PatternCompiler {
    var instructions: [PatternInstruction] = []
    private(set) var sets: [ScalarSet] = []

    /// Recurses as deep as groups are nested, which the parser bounds.
    mutating func emit(_ node: PatternNode) {
        switch node {
        case .empty: break
        case .scalar(let scalar, let folds): instructions.append(folds ? .folded(scalar.folded) : .scalar(scalar))
        case .set(let set):
            sets.append(set)
            instructions.append(.set(sets.count - 1))
        case .any: instructions.append(.any)
        case .anyButNewline: instructions.append(.anyButNewline)
        case .assertion(let assertion): instructions.append(.assertion(assertion))
        case .sequence(let nodes): nodes.forEach { emit($0) }
        case .choice(let nodes): emitChoice(nodes)
        case .repetition(let node, let minimum, let maximum): emitRepetition(node, minimum, maximum)
        }
    }

    private mutating func emitChoice(_ nodes: [PatternNode]) {
        var ends: [Int] = []
        for (position, node) in nodes.enumerated() {
            guard position < nodes.count - 1 else {
                emit(node)
                break
            }
            let split = instructions.count
            instructions.append(.match)
            emit(node)
            ends.append(instructions.count)
            instructions.append(.match)
            instructions[split] = .split(split + 1, instructions.count)
        }
        for end in ends { instructions[end] = .jump(instructions.count) }
    }

    private mutating func emitRepetition(_ node: PatternNode, _ minimum: Int, _ maximum: Int?) {
        for _ in 0..<minimum { emit(node) }
        guard let maximum else {
            let split = instructions.count
            instructions.append(.match)
            emit(node)
            instructions.append(.jump(split))
            instructions[split] = .split(split + 1, instructions.count)
            return
        }
        var splits: [Int] = []
        for _ in minimum..<max(minimum, maximum) {
            splits.append(instructions.count)
            instructions.append(.match)
            emit(node)
        }
        for split in splits { instructions[split] = .split(split + 1, instructions.count) }
    }
}
