import Testing

@testable import Sessions

@Suite("When the sessions of open streams were last used")
struct SessionActivityTests {
    private let id: [UInt8] = [1, 2, 3]

    @Test("only sessions with a stream are remembered")
    func onlyWithStreams() {
        let activity = SessionActivity()
        activity.note(id, now: 10)
        #expect(activity.lastSeen(id) == nil)
        activity.addStream(of: id, now: 20)
        #expect(activity.lastSeen(id) == 20)
        #expect(activity.lastSeen([9]) == nil)
    }

    @Test("the latest request counts, whatever order they report in")
    func latest() {
        let activity = SessionActivity()
        activity.addStream(of: id, now: 20)
        activity.note(id, now: 40)
        activity.note(id, now: 30)
        #expect(activity.lastSeen(id) == 40)
    }

    @Test("a session is forgotten with its last stream")
    func forgotten() {
        let activity = SessionActivity()
        activity.addStream(of: id, now: 20)
        activity.addStream(of: id, now: 30)
        activity.removeStream(of: id)
        #expect(activity.lastSeen(id) == 20)
        activity.removeStream(of: id)
        #expect(activity.lastSeen(id) == nil)
        activity.removeStream(of: id)
    }
}
