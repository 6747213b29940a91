import ArgumentParser
import Diagnostics
import Glibc

/// Messages for users, on standard error.
enum Terminal {
    static func say(_ text: String) {
        prompt(text.hasSuffix("\n") ? text : text + "\n")
    }

    /// Says what is wrong with the command line; throw the result.
    static func usageError(_ message: String, help: String?) -> ExitCode {
        say("gateway: " + message)
        if let help { say("help: " + help) }
        return ExitCode(ExitStatus.usage)
    }

    /// Breaks a text at spaces where it is wider than the terminal, and indents every line.
    static func wrapped(_ text: String, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        var lines = [margin]
        for word in text.split(separator: " ") {
            let last = lines[lines.count - 1]
            if last.count > indent, last.count + 1 + word.count > columns {
                lines.append(margin + word)
            } else {
                lines[lines.count - 1] = last + (last.count > indent ? " " : "") + word
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Text with the cursor behind it, on stderr like everything for people.
    static func prompt(_ text: String) {
        var text = text
        text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
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
