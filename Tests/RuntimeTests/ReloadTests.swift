import Process
import Providers
import Testing

@testable import Runtime

@Suite("Watching files")
struct FileWatchTests {
    private func identity(_ inode: UInt, size: Int = 1, at second: Int = 0) -> FileIdentity {
        FileIdentity(device: 1, inode: inode, size: size, modifiedSeconds: second, modifiedNanoseconds: 0)
    }

    private func watch(_ identities: [FileIdentity?]) -> FileWatch {
        FileWatch(identities.enumerated().map { WatchedFile(path: "/\($0.offset)", identity: $0.element) })
    }

    /// What each glance in turn finds.
    private func glances(at first: [FileIdentity?], _ later: [[FileIdentity?]]) -> [Bool] {
        var watch = watch(first)
        return later.map { watch.look($0) }
    }

    @Test("files that stay as they are are no change")
    func quiet() {
        #expect(glances(at: [identity(1), nil], [[identity(1), nil], [identity(1), nil]]) == [false, false])
    }

    @Test("a change counts once, at the first glance that finds it at rest")
    func once() {
        #expect(glances(at: [identity(1)], [[identity(2)], [identity(2)], [identity(2)]]) == [false, true, false])
    }

    @Test("a file that is still being written is waited for")
    func debounce() {
        #expect(glances(at: [identity(1)], (2..<5).map { [identity(1, size: $0)] }) == [false, false, false])
        #expect(glances(at: [identity(1)], [2, 3, 3].map { [identity(1, size: $0)] }) == [false, false, true])
    }

    @Test("a file that goes and comes back is one change; gone for good is one too")
    func absence() {
        #expect(glances(at: [identity(1)], [[nil], [identity(2)], [identity(2)]]) == [false, false, true])
        #expect(glances(at: [identity(1)], [[nil], [nil]]) == [false, true])
    }

    @Test("what changes back before it came to rest is no change")
    func back() {
        #expect(glances(at: [identity(1)], [[identity(2)], [identity(1)], [identity(2)]]) == [false, false, false])
    }

    @Test("the same size with another time is another version")
    func time() { #expect(identity(1, at: 1) != identity(1, at: 2)) }
}

@Suite("Fingerprints of settings")
struct ValueFingerprintTests {
    private struct Sample {
        var name = "a"
        var secret: ProviderSettings.Secret? = ProviderSettings.Secret("secret-one")
        var list = ["x", "y"]
        var set: Set<String> = ["p", "q", "r"]
        var pairs: [(name: String, value: String)] = [("k", "v")]
        var number: Int? = 1
    }

    @Test("equal values have equal fingerprints, whatever order a set lists")
    func equal() {
        var other = Sample()
        other.set = ["r", "q", "p"]
        #expect(ValueFingerprint.of(Sample()) == ValueFingerprint.of(other))
    }

    @Test("every stored property counts, secrets too")
    func differences() {
        var others = Array(repeating: Sample(), count: 7)
        others[0].name = "b"
        others[1].secret = ProviderSettings.Secret("secret-two")
        others[2].secret = nil
        others[3].list = ["xy"]
        others[4].set = ["p", "q"]
        others[5].pairs = [("k", "w")]
        others[6].number = nil
        let all = ([Sample()] + others).map(ValueFingerprint.of)
        #expect(Set(all).count == all.count)
    }
}

@Suite("The service manager's protocols")
struct ServiceManagerTests {
    private func manager(_ environment: [String: String], process: CInt = 42) -> ServiceManager {
        ServiceManager(variable: { environment[$0] }, process: process)
    }

    @Test(
        "sockets count only for the process they were meant for, sd_listen_fds(3)",
        arguments: [
            (["LISTEN_PID": "42", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "public:admin"], ["3=public", "4=admin"]),
            (["LISTEN_PID": "42", "LISTEN_FDS": "1"], ["3="]),
            (["LISTEN_PID": "42", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "one"], ["3=one", "4="]),
            (["LISTEN_PID": "41", "LISTEN_FDS": "2"], []), (["LISTEN_FDS": "2"], []), (["LISTEN_PID": "42"], []),
            (["LISTEN_PID": "42", "LISTEN_FDS": "0"], []), (["LISTEN_PID": "42", "LISTEN_FDS": "-1"], []),
            (["LISTEN_PID": "42", "LISTEN_FDS": "99999"], []), (["LISTEN_PID": "42", "LISTEN_FDS": "two"], []),
        ])
    func sockets(environment: [String: String], expected: [String]) {
        #expect(manager(environment).sockets.map { "\($0.descriptor)=\($0.name)" } == expected)
    }

    @Test(
        "a watchdog of another process, or none, is not fed, sd_watchdog_enabled(3)",
        arguments: [
            (["WATCHDOG_USEC": "1000"], 1000), (["WATCHDOG_USEC": "1000", "WATCHDOG_PID": "42"], 1000),
            (["WATCHDOG_USEC": "1000", "WATCHDOG_PID": "7"], nil), (["WATCHDOG_USEC": "0"], nil), (["WATCHDOG_USEC": "soon"], nil),
            ([:], nil),
        ] as [([String: String], UInt64?)])
    func watchdog(environment: [String: String], expected: UInt64?) {
        #expect(manager(environment).watchdogMicroseconds == expected)
    }
}
