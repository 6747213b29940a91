/// The session cookies of a request, before they are opened.
package enum SessionCookieValue {
    case absent
    /// The value of the one cookie, where the request has it: valid as long as the bytes given to `assemble`.
    case whole(UnsafeRawBufferPointer)
    /// Several pieces, put together.
    case joined([UInt8])
    case refused(Authentication.Refusal)
}

extension SessionCookies {
    /// Finds the session among a request's cookies, in any order.
    ///
    /// Refused: a name of ours twice, a piece missing, an index that we never write, pieces beyond the caps, all
    /// before any memory is taken (CVE-2024-24814). Where the whole and the pieces are there, the pieces count: the whole is
    /// then what a renewal put back while the session grew. Beside a whole, pieces without a first one and indices that we
    /// never write are leftovers, and ignored.
    ///
    /// The request path fills a `FoundCookies` itself instead: a generic function is not specialised across modules, and its
    /// walk over six cookies then costs four times what they do.
    package func assemble(
        pairs: some Sequence<(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)>
    ) -> SessionCookieValue {
        var found = FoundCookies()
        for pair in pairs {
            let kind = kind(of: pair.name)
            if kind != .other { found.add(pair.value, kind) }
        }
        return found.value()
    }
}
