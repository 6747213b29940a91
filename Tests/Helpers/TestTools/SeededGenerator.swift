import Glibc
package import Testing

/// The seed of the random tests.
///
/// `TEST_SEED` sets it. Without the variable, each test process chooses one and prints it.
package enum TestSeed {
    private static let given: UInt64? = {
        guard let text = getenv("TEST_SEED").map({ String(cString: $0) }), !text.isEmpty else { return nil }
        guard let seed = UInt64(text) else { fatalError("TEST_SEED is '\(text)'; set it to a number from 0 to \(UInt64.max)") }
        return seed
    }()

    /// The seed of the tests that take other numbers in each run.
    package static let current: UInt64 = {
        let seed = given ?? .random(in: 1..<1_000_000_000)
        // On standard error at once: a trap ends the process before a test could print its seed.
        let line = "Random tests use the seed \(seed); TEST_SEED=\(seed) repeats them.\n"
        _ = write(STDERR_FILENO, line, line.utf8.count)
        return seed
    }()

    /// Added to the seeds of the tests that take the same numbers in each run: 0 unless `TEST_SEED` is set.
    fileprivate static var offset: UInt64 { given ?? 0 }
}

/// A repeatable sequence of random numbers (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Other numbers in each run, which `TEST_SEED` repeats. Generators of different streams return different numbers.
    package init(stream: UInt64 = 0) { state = TestSeed.current &+ stream }

    /// The same numbers in each run, unless `TEST_SEED` is set.
    package init(fixed seed: UInt64) { state = TestSeed.offset &+ seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    package mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: .min ... .max, using: &self) } }
}

extension Trait where Self == IssueHandlingTrait {
    /// For tests that use `SeededGenerator(stream:)`: each issue names the seed.
    package static var seeded: Self {
        .compactMapIssues { issue in
            var issue = issue
            issue.comments.append("seed \(TestSeed.current); TEST_SEED=\(TestSeed.current) repeats it")
            return issue
        }
    }
}
