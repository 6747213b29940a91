/// A regular expression in RE2's syntax, matched in time proportional to the text and to the pattern.
struct Pattern: Sendable {
    /// A pattern that is not understood.
    struct Problem: Error, Equatable {
        let message: String
        /// The offset in the pattern, in Unicode scalars.
        let offset: Int

        var text: String { "\(message), at position \(offset)" }
    }

    /// The most instructions of a program, after repetitions are written out.
    static let sizeLimit = 5_000
    static let bytesLimit = 10_000

    private let instructions: [PatternInstruction]
    private let sets: [ScalarSet]
    /// Whether only the start of the text can match.
    private let isAnchored: Bool

    init(_ text: String) throws(Problem) {
        guard text.utf8.count <= Self.bytesLimit else {
            throw Problem(message: "the pattern is longer than \(Self.bytesLimit) bytes", offset: 0)
        }
        var parser = PatternParser(text)
        let node = try parser.parse()
        var compiler = PatternCompiler()
        compiler.emit(node)
        compiler.instructions.append(.match)
        instructions = compiler.instructions
        sets = compiler.sets
        isAnchored = if case .assertion(.textStart) = compiler.instructions[0] { true } else { false }
    }

    var size: Int { instructions.count }

    /// Whether some part of the text matches; nil when `budget`, in steps of the machine, does not suffice.
    func matches(_ text: String, budget: inout Int) -> Bool? {
        var threads = Threads(count: instructions.count)
        var previous: Unicode.Scalar?
        var isFirst = true
        for scalar in text.unicodeScalars {
            if isFirst || !isAnchored { threads.pending.append(0) }
            if run(&threads, previous, scalar, &budget) { return true }
            guard budget > 0 else { return nil }
            if threads.waiting.isEmpty, isAnchored { return false }
            step(&threads, scalar, &budget)
            previous = scalar
            isFirst = false
        }
        if isFirst || !isAnchored { threads.pending.append(0) }
        if run(&threads, previous, nil, &budget) { return true }
        return budget > 0 ? false : nil
    }

    /// The states of the machine. A state is the index of an instruction; none is there twice.
    private struct Threads {
        /// Instructions to follow at this position.
        var pending: [Int] = []
        /// Instructions that wait for a scalar.
        var waiting: [Int] = []
        /// The position at which an instruction was last followed.
        var marks: [Int]
        var position = 0

        init(count: Int) { marks = [Int](repeating: -1, count: count) }
    }

    /// Follows instructions that take no scalar; true when the end of the pattern is reached.
    private func run(_ threads: inout Threads, _ previous: Unicode.Scalar?, _ next: Unicode.Scalar?, _ budget: inout Int) -> Bool {
        threads.waiting.removeAll(keepingCapacity: true)
        while let index = threads.pending.popLast() {
            guard threads.marks[index] != threads.position else { continue }
            threads.marks[index] = threads.position
            budget -= 1
            guard budget > 0 else { return false }
            switch instructions[index] {
            case .match: return true
            case .jump(let target): threads.pending.append(target)
            case .split(let first, let second):
                threads.pending.append(first)
                threads.pending.append(second)
            case .assertion(let assertion):
                if assertion.holds(previous, next) { threads.pending.append(index + 1) }
            case .scalar, .folded, .set, .any, .anyButNewline: threads.waiting.append(index)
            }
        }
        return false
    }

    private func step(_ threads: inout Threads, _ scalar: Unicode.Scalar, _ budget: inout Int) {
        threads.position += 1
        budget -= threads.waiting.count
        for index in threads.waiting {
            let matches =
                switch instructions[index] {
                case .scalar(let wanted): scalar == wanted
                case .folded(let wanted): scalar == wanted || scalar.folded == wanted
                case .set(let number): sets[number].contains(scalar)
                case .any: true
                case .anyButNewline: scalar != "\n"
                case .match, .jump, .split, .assertion: false
                }
            if matches { threads.pending.append(index + 1) }
        }
    }
}

enum PatternInstruction: Sendable {
    case scalar(Unicode.Scalar)
    /// A scalar in its folded form.
    case folded(Unicode.Scalar)
    case set(Int)
    case any
    case anyButNewline
    case split(Int, Int)
    case jump(Int)
    case assertion(PatternAssertion)
    case match
}

enum PatternAssertion: Sendable {
    case textStart
    case textEnd
    case lineStart
    case lineEnd
    case wordBoundary
    case noWordBoundary

    func holds(_ previous: Unicode.Scalar?, _ next: Unicode.Scalar?) -> Bool {
        switch self {
        case .textStart: previous == nil
        case .textEnd: next == nil
        case .lineStart: previous == nil || previous == "\n"
        case .lineEnd: next == nil || next == "\n"
        case .wordBoundary: (previous?.isWord ?? false) != (next?.isWord ?? false)
        case .noWordBoundary: (previous?.isWord ?? false) == (next?.isWord ?? false)
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isWord: Bool {
        ("a"..."z").contains(self) || ("A"..."Z").contains(self) || ("0"..."9").contains(self) || self == "_"
    }

    /// The form that is equal for all cases of a letter.
    var folded: Unicode.Scalar {
        if value < 0x80 { return ("A"..."Z").contains(self) ? Unicode.Scalar(UInt8(value) + 32) : self }
        let upper = Self.single(properties.uppercaseMapping) ?? self
        return Self.single(upper.properties.lowercaseMapping) ?? upper
    }

    private static func single(_ text: String) -> Unicode.Scalar? {
        text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil
    }
}
