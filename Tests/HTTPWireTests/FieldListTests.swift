import Testing

@testable import HTTPWire

@Suite("The list of a head's field lines")
struct FieldListTests {
    private func line(_ number: Int) -> FieldLine {
        FieldLine(nameStart: UInt32(number), nameLength: 1, valueStart: 0, valueLength: 0, lineEnd: 0, known: .other)
    }

    private func filled(_ count: Int) -> FieldList {
        var list = FieldList()
        for number in 0..<count { list.append(line(number)) }
        return list
    }

    @Test("it grows and keeps its order", arguments: [0, 1, 16, 17, 100, 1_000])
    func growth(count: Int) {
        #expect(filled(count).map(\.nameStart) == (0..<UInt32(count)).map { $0 })
    }

    @Test("emptied, it keeps memory that nobody else holds")
    func reuse() {
        var list = filled(3)
        list.removeAll()
        #expect(list.isEmpty && list.hasMemory)
        list.append(line(9))
        #expect(list.map(\.nameStart) == [9])
    }

    @Test("a copy keeps its lines when the other is emptied and filled again")
    func copies() {
        var list = filled(3)
        let copy = list
        list.removeAll()
        #expect(!list.hasMemory)
        list.append(line(9))
        #expect(copy.map(\.nameStart) == [0, 1, 2])
        #expect(list.map(\.nameStart) == [9])
    }
}
