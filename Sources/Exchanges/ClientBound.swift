/// What belongs to one client connection, and ends with it.
package protocol ClientBound: AnyObject {
    /// The client connection has closed. Called once, on its event loop.
    func clientClosed()
}
