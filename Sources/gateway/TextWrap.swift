/// Breaks prose for a terminal.
enum TextWrap {
    /// The text with its long lines broken at spaces, each continued below its first word. Examples, which begin with four
    /// spaces, stay as they are.
    static func prose(_ text: String, columns: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let indent = line.prefix { $0 == " " }.count
            return indent >= 4 ? String(line) : wrapped(String(line), columns: columns, hanging: indent)
        }.joined(separator: "\n")
    }

    /// One line broken at spaces; the following lines begin at column `hanging`. Words longer than a line stay whole.
    static func wrapped(_ line: String, columns: Int, hanging: Int) -> String {
        guard line.count > columns else { return line }
        let indent = line.prefix { $0 == " " }
        var lines: [String] = []
        var current = String(indent)
        var isStart = true
        for word in line.dropFirst(indent.count).split(separator: " ", omittingEmptySubsequences: false) {
            if !isStart, current.count + 1 + word.count > columns {
                lines.append(current)
                current = String(repeating: " ", count: hanging) + word
            } else {
                current += (isStart ? "" : " ") + word
            }
            isStart = false
        }
        return (lines + [current]).joined(separator: "\n")
    }
}
