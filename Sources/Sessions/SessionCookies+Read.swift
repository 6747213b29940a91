/// The session cookies of a request, before they are opened.
package enum SessionCookieValue {
    case absent
    /// Where the head has the value of the one cookie.
    case whole(Range<Int>)
    /// Several pieces, put together.
    case joined([UInt8])
    case refused(Authentication.Refusal)
}
