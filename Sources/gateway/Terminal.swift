import ArgumentParser
import Diagnostics
import Glibc

/// Messages for users, on standard error.
enum Terminal {
    static func say(_ text: String) {
        var line = text
        if !line.hasSuffix("\n") { line += "\n" }
        line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// A report of findings, on standard error.
    static func say(_ report: Report) {
        say(TextRenderer(color: ColorChoice.auto.isOn(for: STDERR_FILENO), columns: columns).render(report))
    }

    static func isTerminal(_ descriptor: CInt) -> Bool { isatty(descriptor) == 1 }

    /// The width of the terminal, 80 where there is none.
    static var columns: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 40 else { return 80 }
        return Int(size.ws_col)
    }
}

enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never

    /// `always` beats `NO_COLOR` (contract section 6).
    func isOn(for descriptor: CInt) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto: getenv("NO_COLOR").map { $0.pointee == 0 } ?? true && Terminal.isTerminal(descriptor)
        }
    }
}
