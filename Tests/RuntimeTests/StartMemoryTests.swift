import Testing

@testable import Runtime

@Suite("Memory that only the start needed")
struct StartMemoryTests {
    @Test("only mappings of the program that are not written and hold no page of our own are let go")
    func cleanMappings() {
        let smaps = """
            55d0-55e0 r--p 00000000 08:01 42                         /usr/bin/gateway
            Rss:                 100 kB
            Anonymous:             0 kB
            55e0-55f0 r-xp 00010000 08:01 42                         /usr/bin/gateway
            Rss:                 100 kB
            Anonymous:             0 kB
            55f0-5600 r--p 00020000 08:01 42                         /usr/bin/gateway
            Rss:                   8 kB
            Anonymous:             8 kB
            5600-5610 rw-p 00030000 08:01 42                         /usr/bin/gateway
            Anonymous:             0 kB
            5610-5620 rw-p 00000000 00:00 0                          [heap]
            Anonymous:             4 kB
            5620-5630 r--p 00000000 00:00 0
            Anonymous:             0 kB
            5630-5640 r-xp 00000000 00:00 0                          [vdso]
            Anonymous:             0 kB
            5640-5650 r-xp 00000000 08:01 43                         /usr/lib/libother.so
            Anonymous:             0 kB
            5650-5660 r-xp 00000000 08:01 44                         /opt/usr/bin/gateway
            Anonymous:             0 kB
            5660-5670 r-xp 00000000 08:01 42                         /usr/bin/gateway (deleted)
            Anonymous:             0 kB
            nonsense
            """
        #expect(
            StartMemory.cleanMappings(of: Array(smaps.utf8), in: Array("/usr/bin/gateway".utf8)) == [0x55d0..<0x55e0, 0x55e0..<0x55f0])
        #expect(StartMemory.cleanMappings(of: Array(smaps.utf8), in: []).isEmpty)
    }

    @Test("the program goes on after letting go of its own code")
    func release() {
        StartMemory.release()
        #expect([3, 1, 2].sorted() == [1, 2, 3])
        #expect(!StartMemory.cleanMappings(of: ProcessFigures.bytes(of: "/proc/self/smaps"), in: StartMemory.program()).isEmpty)
    }
}
