import Glibc
import Testing

@testable import Conditions

/// The deepest accepted expressions, on a thread with a small stack.
struct StackTests {
    // Frames of debug builds are several times as large.
    #if DEBUG
        private static let stack = 2 << 20
    #else
        private static let stack = 512 << 10
    #endif

    private static func nested(_ open: String, _ inner: String, _ close: String, _ count: Int) -> String {
        String(repeating: open, count: count) + inner + String(repeating: close, count: count)
    }

    private static let deepest = [
        nested("(", "count", ")", 99), nested("[", "count", "]", 98), nested("{1:", "count", "}", 98), nested("size([", "count", "])", 49),
        String(repeating: "-", count: 98) + "count", "count" + String(repeating: " + 1", count: 98),
        "m" + String(repeating: ".a", count: 98),
        "m" + String(repeating: "['a']", count: 98), String(repeating: "count == 1 ? 1 : ", count: 97) + "2",
        nested("[count].map(x,", "x", ")", 97), nested("[count].all(x, x == 7 && ", "x == 7", ")", 48), nested("dyn(", "count", ")", 98),
        nested("[count].exists(x, 'a'.matches('", nested("(", "a", ")", 49), "'))", 1),
        nested("[", "count", "]", 97) + " == " + nested("[", "count", "]", 97),
    ]

    private final class Work: Sendable {
        let text: String

        init(_ text: String) { self.text = text }

        func run() {
            let environment = ConditionEnvironment(variables: [("count", .int), ("m", .dynamic)])
            let values: [ConditionValue?] = [.int(7), .map(ConditionMap(strings: []))]
            guard let condition = try? Condition(text, in: environment, expecting: nil) else {
                Issue.record("refused: \(text)")
                return
            }
            _ = try? condition.evaluate(values)
            _ = condition.trace(values)
        }
    }

    @Test("The deepest accepted expressions need less than 512 KiB of stack, in debug builds 2 MiB", arguments: deepest)
    func fits(_ text: String) throws {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, Self.stack)
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Work(text))
        let status = pthread_create(
            &thread, &attributes,
            { context in
                if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, context.toOpaque())
        try #require(status == 0)
        pthread_join(thread, nil)
        pthread_attr_destroy(&attributes)
    }
}
