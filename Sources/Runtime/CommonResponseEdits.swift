import NIOCore
import Proxy

/// What is changed in upstreams' responses, made once where it can be. Each event loop has its own: a request holds one of these, and
/// threads that share an object spend their time on its count of references.
struct CommonResponseEdits {
    private let snapshot: Snapshot
    /// What most answers need: for nobody in particular, and for somebody who is signed in.
    private let forAnybody: ResponseEdits
    private let forSomebody: ResponseEdits

    init(_ snapshot: Snapshot) {
        self.snapshot = snapshot
        func edits(isPrivate: Bool) -> ResponseEdits {
            ResponseEdits(addedLines: nil, isPrivate: isPrivate, cookies: snapshot.cookieNames, hstsLine: snapshot.hstsLine)
        }
        forAnybody = edits(isPrivate: false)
        forSomebody = edits(isPrivate: true)
    }

    /// Nothing is made for a route without features.
    func edits(
        addedLines: ByteBuffer?, isPrivate: Bool, _ features: RouteFeatures?, crossOriginLines: ByteBuffer?
    ) -> ResponseEdits {
        if addedLines == nil, features == nil { return isPrivate ? forSomebody : forAnybody }
        return ResponseEdits(
            addedLines: addedLines, isPrivate: isPrivate, cookies: snapshot.cookieNames, hstsLine: snapshot.hstsLine,
            route: features?.responseEdits, crossOriginLines: features == nil ? nil : crossOriginLines)
    }
}
