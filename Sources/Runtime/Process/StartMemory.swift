import Glibc

/// Gives back the memory that only the start needed.
///
/// Reading a configuration walks through most of the program: its pages stay mapped although nothing that serves a request looks
/// at them again. They are clean copies of the file, so letting go of them costs a minor fault for those that are needed after all.
enum StartMemory {
    static func release() {
        let ranges = cleanMappings(of: ProcessFigures.bytes(of: "/proc/self/smaps"), in: program())
        for range in ranges {
            madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), Int(range.upperBound - range.lowerBound), MADV_DONTNEED)
        }
    }

    /// The path of this program's file; empty when the kernel does not report it.
    static func program() -> [UInt8] {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count)
        return path.prefix(max(0, count)).map(UInt8.init(bitPattern:))
    }

    /// The mappings of the program that cannot be written and hold no page of our own: no relocated one either, which would be lost.
    ///
    /// Of the program alone. Any other file may be unmapped by another thread in the meantime, and its place taken by memory in use.
    static func cleanMappings(of smaps: [UInt8], in program: [UInt8]) -> [Range<UInt>] {
        guard program.first == UInt8(ascii: "/") else { return [] }
        var ranges: [Range<UInt>] = []
        var current: Range<UInt>?
        for line in smaps.split(separator: UInt8(ascii: "\n")) {
            if line.starts(with: "Anonymous:".utf8) {
                if let range = current, line.dropFirst(10).first(where: { $0 != UInt8(ascii: " ") }) == UInt8(ascii: "0") {
                    ranges.append(range)
                }
                current = nil
            } else if let end = line.firstIndex(of: UInt8(ascii: " ")), let range = addresses(line[..<end]) {
                let rest = line[end...].dropFirst()
                let isCode = rest.starts(with: "r-xp ".utf8) || rest.starts(with: "r--p ".utf8)
                current = isCode && line.suffix(program.count + 1).elementsEqual([UInt8(ascii: " ")] + program) ? range : nil
            }
        }
        return ranges
    }

    /// `7f00-7f10`, in hexadecimal digits.
    private static func addresses(_ word: ArraySlice<UInt8>) -> Range<UInt>? {
        guard let hyphen = word.firstIndex(of: UInt8(ascii: "-")), let start = number(word[..<hyphen]),
            let end = number(word[(hyphen + 1)...]), start < end
        else { return nil }
        return start..<end
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> UInt? {
        UInt(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
