/// A hint how to fix findings, shown after a report.
package enum FixHint {
    /// - Parameter fixing: whether the fixes have already been applied, including unsafe ones.
    package static func text(for report: Report, fixing: Bool, unsafe: Bool) -> String? {
        let safe = fixing ? 0 : report.files.reduce(0) { $0 + $1.fixableCount(includingUnsafe: false) }
        let all = fixing && unsafe ? 0 : report.files.reduce(0) { $0 + $1.fixableCount(includingUnsafe: true) }
        let others = all - (fixing ? report.files.reduce(0) { $0 + $1.fixableCount(includingUnsafe: false) } : safe)
        switch (safe, max(0, others)) {
        case (0, 0): return nil
        case (0, let others): return "\(others) fixable with --fix --unsafe-fixes, which may change the meaning of the file"
        case (let safe, 0): return "\(safe) fixable with --fix"
        case (let safe, let others): return "\(safe) fixable with --fix, \(others) more with --unsafe-fixes"
        }
    }
}
