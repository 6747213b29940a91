import TestTools
import Testing

@testable import Accounts

@Suite("Dividing imports into accounts")
struct ImportSplitterTests {
    private static func lines(_ text: String, chunk: Int, limit: Int = 1_000) -> [ImportPiece] {
        var splitter = LineSplitter(limit: limit)
        var pieces: [ImportPiece] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            pieces += splitter.pieces(of: bytes[start..<min(bytes.count, start + chunk)])
        }
        return pieces + [splitter.end()].compactMap { $0 }
    }

    private static func piece(_ line: Int, _ text: String?) -> ImportPiece { ImportPiece(line: line, bytes: text.map { Array($0.utf8) }) }

    @Test("lines keep their numbers, whatever the chunks are", arguments: [1, 2, 3, 7, 1_000])
    func lines(chunk: Int) {
        let text = "a\n\n  \t\r\nbcd\r\n" + String(repeating: "x", count: 11) + "\n0123456789\nlast"
        #expect(
            Self.lines(text, chunk: chunk, limit: 10) == [
                Self.piece(1, "a"), Self.piece(4, "bcd\r"), Self.piece(5, nil), Self.piece(6, "0123456789"), Self.piece(7, "last"),
            ])
        #expect(Self.lines("a\n", chunk: chunk) == [Self.piece(1, "a")])
        #expect(Self.lines("", chunk: chunk) == [])
        #expect(Self.lines(String(repeating: "x", count: 99), chunk: chunk, limit: 10) == [Self.piece(1, nil)])
    }

    private static func users(_ text: String, chunk: Int = 5) throws(ImportProblem) -> [ImportPiece] {
        var splitter = FirebaseExportSplitter()
        var pieces: [ImportPiece] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            pieces += try splitter.pieces(of: bytes[start..<min(bytes.count, start + chunk)])
        }
        try splitter.end()
        return pieces
    }

    @Test("the users of a Firebase export are found, whatever the chunks are", arguments: [1, 2, 3, 64, 10_000])
    func users(chunk: Int) throws {
        let text = """
            {"kind": {"users": [{"localId": "no"}], "x": "}]\\"{"}, "n": 1.5e3, "b": true, "users": [
            {"localId": "a", "x": {"y": [1, 2, "]}\\\\"]}},
            {
              "localId": "b\\"}"
            }
            ] , "tail": []}

            """
        #expect(
            try Self.users(text, chunk: chunk) == [
                Self.piece(2, #"{"localId": "a", "x": {"y": [1, 2, "]}\\"]}}"#), Self.piece(3, "{\n  \"localId\": \"b\\\"}\"\n}"),
            ])
        #expect(try Self.users(#"{"users":[]}"#, chunk: chunk) == [])
    }

    @Test func `a user that is too long is reported and does not stop the import`() throws {
        let long = #"{"x":""# + String(repeating: "a", count: FirebaseExportSplitter.longestUser) + #""}"#
        #expect(try Self.users(#"{"users":[\#(long),{"a":1}]}"#, chunk: 4_096) == [Self.piece(1, nil), Self.piece(1, #"{"a":1}"#)])
    }

    @Test(
        "what is no complete export is refused",
        arguments: [
            ("", "the export ends too early"), ("{", "the export ends too early"), (#"{"users":["#, "the export ends too early"),
            (#"{"users":[{"a":1}"#, "the export ends too early"), (#"{"users":[{"a":1}]"#, "the export ends too early"),
            ("{}", "no list `users`"), (#"{"user":[]}"#, "no list `users`"), ("[]", "line 1: this is not a Firebase"),
            ("localId,email", "line 1: this is not a Firebase"), ("\n\n{\"users\": {}}", "line 3: this is not a Firebase"),
            (#"{"users":[1]}"#, "line 1: this is not JSON"), (#"{"users":[{},]}"#, "line 1: this is not JSON"),
            (#"{"users":[{} {}]}"#, "line 1: this is not JSON"), (#"{"users":[]}{"users":[]}"#, "line 1: this is not JSON"),
            (#"{"users":[],"users":[]}"#, "line 1: this is not JSON"), (#"{"a":1,}"#, "line 1: this is not a Firebase"),
            (#"{"a":}"#, "line 1: this is not a Firebase"), (#"{,"a":1}"#, "line 1: this is not a Firebase"),
            (#"{"a":]}"#, "line 1: this is not a Firebase"),
            (#"{"\#(String(repeating: "n", count: 65))":1}"#, "line 1: this is not a Firebase"),
            (#"{"a":\#(String(repeating: "[", count: 1_000))"#, "line 1: this is not a Firebase"),
        ])
    func incomplete(text: String, reason: String) {
        #expect {
            try Self.users(text)
        } throws: { ($0 as? ImportProblem)?.reason.contains(reason) ?? false }
    }

    @Test func `random bytes never trap, and never make an account longer than the limit`() {
        var generator = SeededGenerator(fixed: 42)
        for _ in 0..<2_000 {
            var bytes: [UInt8] = Array(#"{"users":[{"localId":"a"},{"b":[1,"]}"]}]}"#.utf8)
            for _ in 0..<4 {
                bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            var splitter = FirebaseExportSplitter()
            var lines = LineSplitter(limit: 16)
            let pieces = (try? splitter.pieces(of: bytes)) ?? []
            #expect(pieces.allSatisfy { $0.bytes?.count ?? 0 <= bytes.count })
            #expect((lines.pieces(of: bytes) + [lines.end()].compactMap { $0 }).allSatisfy { $0.bytes?.count ?? 0 <= 16 })
        }
    }
}
