import Glibc

/// Gives back the memory that only the start needed.
///
/// Reading a configuration walks through most of the program: its pages stay mapped although nothing that serves a request looks
/// at them again. They are clean copies of the file, so letting go of them costs a minor fault for those that are needed after all.
enum StartMemory {
    static func release() {
        let ranges = cleanMappings(of: ProcessFigures.contents(of: "/proc/self/smaps"))
        for range in ranges {
            madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), Int(range.upperBound - range.lowerBound), MADV_DONTNEED)
        }
    }

    /// The mappings of files that cannot be written and hold no page of our own: no relocated one either, which would be lost.
    static func cleanMappings(of smaps: String) -> [Range<UInt>] {
        var ranges: [Range<UInt>] = []
        var current: Range<UInt>?
        for line in smaps.split(separator: "\n") {
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            if let range = words.first.flatMap({ addresses($0) }) {
                let isCode = words.count >= 6 && (words[1] == "r-xp" || words[1] == "r--p") && words[5].hasPrefix("/")
                current = isCode ? range : nil
            } else if words.first == "Anonymous:" {
                if let range = current, words.count > 1, words[1] == "0" { ranges.append(range) }
                current = nil
            }
        }
        return ranges
    }

    /// `7f00-7f10`, in hexadecimal digits.
    private static func addresses(_ word: Substring) -> Range<UInt>? {
        let parts = word.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let start = UInt(parts[0], radix: 16), let end = UInt(parts[1], radix: 16), start < end else { return nil }
        return start..<end
    }
}
