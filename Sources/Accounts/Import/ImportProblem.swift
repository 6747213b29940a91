/// The reason why a line or a user of an import is no account. Names members, and never quotes a value: it may be personal.
package struct ImportProblem: Error, Sendable, Hashable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}
