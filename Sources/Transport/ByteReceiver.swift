package import NIOCore

/// Takes what a socket has read without the way through its pipeline: a handler that nothing stands in front of.
package protocol ByteReceiver: AnyObject {
    /// What is left of them when this returns is not needed: bytes to be kept are taken out, or copied.
    func received(_ bytes: inout ByteBuffer)
    /// There is no more for now. True asks for what comes next.
    func receivedAll() -> Bool
}
