// The standard library's own normaliser, which it does not publish: an independent implementation to compare with.
@_spi(_Unicode) import Swift
import TestTools
import Testing

@testable import Primitives

@Suite("Normalisation form C")
struct NormalizationTests {
    private func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }
    private func normalized(_ text: String) -> [UInt32] { scalars(NormalizationFormC.normalize(text)) }

    @Test(
        "UAX #15: characters that compose, do not, reorder, or are excluded",
        arguments: [
            ("e\u{301}", [0xE9]), ("\u{212B}", [0xC5]), ("\u{1E9B}\u{323}", [0x1E9B, 0x323]),
            ("s\u{307}\u{323}", [0x1E69]), ("\u{1100}\u{1161}\u{11A8}", [0xAC01]), ("\u{AC00}\u{11A8}", [0xAC01]),
            ("\u{AC01}\u{11A8}", [0xAC01, 0x11A8]), ("\u{958}", [0x915, 0x93C]), ("\u{2ADC}", [0x2ADD, 0x338]),
            ("\u{1D15E}", [0x1D157, 0x1D165]), ("a\u{5AE}\u{300}", [0xE0, 0x5AE]), ("\u{301}e", [0x301, 0x65]),
            ("\u{0344}", [0x308, 0x301]), ("\u{FB1D}", [0x5D9, 0x5B4]), ("ǆ", [0x1C6]), ("abc", [0x61, 0x62, 0x63]), ("", []),
        ] as [(String, [UInt32])])
    func examples(text: String, expected: [UInt32]) { #expect(normalized(text) == expected) }

    /// Characters of class 0 whose decompositions have other classes: the standard library does not sort them (Swift 6.3). Python does.
    private static let unsorted: [UInt32] = [0xF73, 0xF75, 0xF81]

    @Test("UAX #15: decompositions that are marks alone take part in the order")
    func marksAlone() {
        #expect(normalized("\u{323}\u{F73}\u{307}") == [0xF71, 0xF72, 0x323, 0x307])
        #expect(normalized("\u{AC1B}\u{10F4D}\u{F81}") == [0xAC1B, 0xF71, 0xF80, 0x10F4D])
    }

    private static let standard: [Unicode.Scalar] = (0...0x10FFFF).compactMap { (value: UInt32) -> Unicode.Scalar? in
        // Those that the running standard library knows.
        guard let scalar = Unicode.Scalar(value), scalar.properties.age != nil, !unsorted.contains(value) else { return nil }
        return scalar
    }

    @Test("is the standard library's, for every character alone and with marks around it")
    func everyCharacter() {
        var different: [Unicode.Scalar] = []
        for scalar in Self.standard where !(0xE000...0xF8FF).contains(scalar.value) && scalar.value < 0xF0000 {
            for text in [String(scalar), "e\(scalar)\u{301}", "\u{323}\(scalar)\u{307}"] where normalized(text) != text._nfc.map(\.value) {
                different.append(scalar)
            }
        }
        #expect(different.isEmpty)
    }

    @Test("is the standard library's for random texts of marks, letters and syllables, and normal texts stay")
    func randomTexts() {
        let interesting = Self.standard.filter {
            $0.properties.canonicalCombiningClass.rawValue != 0 || Array(String($0)._nfd).count > 1 || (0x1100...0x11FF).contains($0.value)
                || $0.isASCII
        }
        var generator = SeededGenerator(fixed: 1)
        for _ in 0..<20_000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...9, using: &generator) { text.append(interesting.randomElement(using: &generator)!) }
            let once = NormalizationFormC.normalize(String(text))
            #expect(scalars(once) == String(text)._nfc.map(\.value))
            #expect(normalized(once) == scalars(once))
        }
    }

    @Test("a long run of marks takes no quadratic time")
    func longRun() {
        let marks = String(repeating: "\u{301}\u{323}", count: 100_000)
        #expect(NormalizationFormC.normalize("e" + marks).unicodeScalars.count == 200_000)
    }
}
