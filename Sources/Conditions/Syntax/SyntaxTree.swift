/// The nodes of an expression; children come before their parents.
struct SyntaxTree {
    typealias ID = Int

    struct Node {
        let kind: Kind
        let range: ConditionRange
        /// The name of a variable, field or function, or the operator, where a problem with it is reported.
        let anchor: ConditionRange
        let depth: Int
    }

    enum Kind {
        case literal(ConditionValue)
        /// A name; one with a leading dot ignores local variables and the container.
        case name(String, isRooted: Bool)
        case select(ID, String)
        case has(ID, String)
        case call(String, [ID])
        case method(ID, String, [ID])
        case unary(UnaryOperator, ID)
        case binary(BinaryOperator, ID, ID)
        /// `&&` or `||` with two operands or more.
        case logical(LogicalOperator, [ID])
        case conditional(ID, ID, ID)
        case list([ID])
        case map([ID], [ID])
        case message(String, [ID])
        case comprehension(Comprehension)
    }

    /// A macro that goes through the elements of a list or the keys of a map.
    struct Comprehension {
        enum Macro: String {
            case all
            case exists
            case existsOne = "exists_one"
            case filter
            case map
        }

        let macro: Macro
        let source: ID
        let variable: String
        let predicate: ID?
        let transform: ID?
    }

    private(set) var nodes: [Node] = []
    var root: ID = 0

    subscript(id: ID) -> Node { nodes[id] }

    mutating func append(
        _ kind: Kind, _ range: ConditionRange, anchor: ConditionRange? = nil, limits: ConditionLimits
    ) throws(ConditionProblem) -> ID {
        var deepest = 0
        kind.forEachChild { deepest = max(deepest, nodes[$0].depth) }
        let node = Node(kind: kind, range: range, anchor: anchor ?? range, depth: deepest + 1)
        guard node.depth <= limits.depth else {
            throw ConditionProblem("the expression is nested deeper than \(limits.depth) levels", at: node.anchor)
        }
        guard nodes.count < limits.nodes else {
            throw ConditionProblem("the expression has more than \(limits.nodes) parts", at: node.anchor)
        }
        nodes.append(node)
        return nodes.count - 1
    }
}

extension SyntaxTree.Kind {
    func forEachChild(_ body: (SyntaxTree.ID) -> Void) {
        switch self {
        case .literal, .name: break
        case .select(let operand, _), .has(let operand, _), .unary(_, let operand): body(operand)
        case .call(_, let arguments), .logical(_, let arguments), .list(let arguments), .message(_, let arguments):
            arguments.forEach(body)
        case .method(let target, _, let arguments):
            body(target)
            arguments.forEach(body)
        case .binary(_, let left, let right):
            body(left)
            body(right)
        case .conditional(let condition, let first, let second):
            body(condition)
            body(first)
            body(second)
        case .map(let keys, let values):
            keys.forEach(body)
            values.forEach(body)
        case .comprehension(let comprehension):
            body(comprehension.source)
            if let predicate = comprehension.predicate { body(predicate) }
            if let transform = comprehension.transform { body(transform) }
        }
    }
}

enum UnaryOperator: String {
    case not = "!"
    case negate = "-"
}

enum LogicalOperator: String {
    case and = "&&"
    case or = "||"
}

enum BinaryOperator: String {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case membership = "in"
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
    case index = "[]"

    /// How tightly the operator binds its operands; a higher number binds tighter.
    var precedence: Int {
        switch self {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .membership: 1
        case .add, .subtract: 2
        case .multiply, .divide, .remainder: 3
        case .index: 4
        }
    }
}
