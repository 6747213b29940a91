import NIOCore
import TestTools
import Testing

@testable import Transport

/// The transport over a simulated kernel: every fault at every call, and a million connections.
@Suite struct SimulatedKernelTests {
    /// Two connections: 150 KB in three parts, echoed; one ends by a FIN, the other is asked to close its output.
    private func exchange(_ fault: @escaping (Int) -> SimulatedKernel.Fault?) throws -> (calls: Int, faults: [String]) {
        let connections = try SimulatedConnections()
        let kernel = connections.kernel
        kernel.fault = fault
        let records = [
            connections.accept(echoes: true, allowsHalfClosure: true),
            try connections.connect(echoes: true, allowsHalfClosure: false),
        ]
        connections.turn()
        for _ in 0..<3 {
            for record in records where record.isOpen { kernel.peerSends(record.descriptor, 50_000) }
            connections.turn()
            for record in records where record.isOpen { kernel.peerReads(record.descriptor) }
            connections.turn()
        }
        if records[0].isOpen { kernel.peerFinishes(records[0].descriptor) }
        if records[1].isOpen { records[1].close(.output) }
        connections.settle(records)
        let faults = connections.faults(of: records) + connections.end(records)
        return (kernel.calls, faults)
    }

    @Test func anExchangeWithoutFaultsIsWhole() throws {
        #expect(try exchange { _ in nil }.faults == [])
    }

    @Test(arguments: SimulatedKernel.Fault.allCases)
    func aFaultAtAnyOneCallIsHandled(_ fault: SimulatedKernel.Fault) throws {
        let calls = try exchange { _ in nil }.calls
        #expect(calls > 20)
        for call in 0..<calls {
            let faults = try exchange { $0 == call ? fault : nil }.faults
            #expect(faults == [], "\(fault) at call \(call)")
        }
    }

    @Test(arguments: [SimulatedKernel.Fault.short, .again, .interrupted])
    func aFaultAtEveryOtherCallIsHandled(_ fault: SimulatedKernel.Fault) throws {
        for parity in 0...1 { #expect(try exchange { $0 % 2 == parity ? fault : nil }.faults == []) }
    }

    @Test func randomPeersHandlersAndFaults() throws {
        for seed in 0..<400 as Range<UInt64> {
            var random = SeededGenerator(fixed: seed)
            var faultRandom = SeededGenerator(fixed: ~seed)
            let connections = try SimulatedConnections()
            let kernel = connections.kernel
            kernel.fault = { _ in
                switch faultRandom.next() % 24 {
                case 0, 1: .again
                case 2, 3: .interrupted
                case 4, 5: .short
                case 6 where faultRandom.next() % 16 == 0: .reset
                default: nil
                }
            }
            var records: [ConnectionRecord] = []
            for _ in 0..<80 {
                if records.count < 6 || random.next() % 8 == 0 {
                    let halfClosure = Bool.random(using: &random)
                    let echoes = Bool.random(using: &random)
                    records.append(
                        Bool.random(using: &random)
                            ? connections.accept(echoes: echoes, allowsHalfClosure: halfClosure)
                            : try connections.connect(echoes: echoes, allowsHalfClosure: halfClosure))
                }
                if let record = records.randomElement(using: &random), record.isOpen { act(on: record, kernel, &random) }
                if Bool.random(using: &random) { connections.turn() }
            }
            connections.settle(records)
            let faults = connections.faults(of: records) + connections.end(records)
            #expect(faults == [], "seed \(seed)")
            if !faults.isEmpty { return }
        }
    }

    private func act(on record: ConnectionRecord, _ kernel: SimulatedKernel, _ random: inout SeededGenerator) {
        switch random.next() % 12 {
        case 0..<5:
            if kernel[record.descriptor]?.peerEnd == .open { kernel.peerSends(record.descriptor, Int(random.next() % 100_000) + 1) }
        case 5: kernel.peerFinishes(record.descriptor)
        case 6: if random.next() % 4 == 0 { kernel.peerResets(record.descriptor) }
        case 7: record.close(.output)
        case 8: if random.next() % 4 == 0 { record.close(.all) }
        default: kernel.peerReads(record.descriptor)
        }
    }

    /// A write of `size` bytes to a socket that takes 48 KB at a time, and one byte at the call `shortCall`.
    private func writing(_ size: Int, shortCall: Int? = nil) throws -> [String] {
        let connections = try SimulatedConnections()
        let record = connections.accept(echoes: false, allowsHalfClosure: true)
        connections.turn()
        let before = connections.kernel.calls
        connections.kernel.fault = { $0 - before == shortCall ? .short : nil }
        record.write(size)
        record.flush()
        while connections.kernel[record.descriptor]?.isFull == true {
            connections.kernel.peerReads(record.descriptor)
            connections.turn()
        }
        let writing = record.writing
        #expect(connections.end([record]) == [])
        return writing
    }

    @Test func writabilityIsReportedAfterEverythingThatTheSocketTakesAtOnce() throws {
        // The third round begins at the low mark, and its first call takes one byte: the second takes the rest.
        #expect(try writing(128 * 1024, shortCall: 4) == ["writable false", "written", "writable true"])
        // The second round ends below the low mark.
        #expect(try writing(2 * 48 * 1024 + 100) == ["writable false", "writable true", "written"])
    }

    @Test func aMillionConnectionsOpenAndCloseInRandomOrder() throws {
        var random = SeededGenerator(fixed: 21)
        let connections = try SimulatedConnections()
        let kernel = connections.kernel
        var open: [ConnectionRecord] = []
        var wrong = 0
        for count in 0..<1_000_000 {
            open.append(connections.accept(echoes: false, allowsHalfClosure: false))
            if count % 16 == 0 { connections.turn() }
            guard open.count > 200 else { continue }
            let index = Int(random.next() % UInt64(open.count))
            let record = open[index]
            open[index] = open[open.count - 1]
            open.removeLast()
            // An event of the descriptor's last user must not have ended it.
            if !record.isOpen { wrong += 1 }
            switch count % 3 {
            case 0: record.close(.all)
            case 1: kernel.peerFinishes(record.descriptor)
            default: kernel.peerResets(record.descriptor)
            }
        }
        connections.settle(open)
        #expect(wrong == 0)
        #expect(kernel.opened == 1_000_000)
        #expect(kernel.openCount == open.count)
        #expect(connections.faults(of: open) == [])
        #expect(connections.end(open) == [])
    }
}
