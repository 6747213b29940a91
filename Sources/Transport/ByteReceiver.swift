package import NIOCore

/// Takes what a socket has read without the way through its pipeline: a handler that nothing stands in front of.
package protocol ByteReceiver: AnyObject {
    /// Handles received bytes. Bytes left over are discarded when this returns: take or copy those to be kept.
    func received(_ bytes: inout ByteBuffer)
    /// There is no more for now. True asks for what comes next.
    func receivedAll() -> Bool
}
