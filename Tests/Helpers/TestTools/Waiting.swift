package import Testing

/// A condition that did not come true.
package struct NeverTrue: Error, CustomStringConvertible {
    package let description: String
}

/// Waits until a condition holds.
///
/// The limit is for defects: a busy machine does not reach it.
package func eventually(
    limit: Duration = .seconds(120), sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    var pause = Duration.milliseconds(1)
    while try await !condition() {
        guard ContinuousClock.now < end else {
            throw NeverTrue(description: "\(sourceLocation): the condition did not come true within \(limit)")
        }
        try await Task.sleep(for: pause)
        // Conditions that start a process or ask a server are not evaluated all the time.
        pause = min(pause * 2, .milliseconds(50))
    }
}
