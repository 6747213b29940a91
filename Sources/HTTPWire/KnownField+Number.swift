extension KnownField {
    /// The raw value: 0 for `other`, and below 64 for every field, because a set of fields is the bits of a `UInt64`.
    ///
    /// Written out and `public`, because derived members of enumerations with raw values are not inlined into other modules. The compiler
    /// reduces the list to the value that the case is stored as.
    @inlinable
    public var number: UInt8 {
        switch self {
        case .other: 0
        case .accept: 1
        case .authorization: 2
        case .cacheControl: 3
        case .connection: 4
        case .contentLength: 5
        case .contentType: 6
        case .cookie: 7
        case .date: 8
        case .expect: 9
        case .forwarded: 10
        case .host: 11
        case .http2Settings: 12
        case .keepAlive: 13
        case .location: 14
        case .maxForwards: 15
        case .origin: 16
        case .proxyAuthenticate: 17
        case .proxyAuthenticationInfo: 18
        case .proxyAuthorization: 19
        case .proxyConnection: 20
        case .referer: 21
        case .secFetchDest: 22
        case .secFetchMode: 23
        case .secFetchSite: 24
        case .server: 25
        case .setCookie: 26
        case .strictTransportSecurity: 27
        case .te: 28
        case .traceparent: 29
        case .tracestate: 30
        case .trailer: 31
        case .transferEncoding: 32
        case .upgrade: 33
        case .via: 34
        case .xForwardedFor: 35
        case .xForwardedHost: 36
        case .xForwardedProto: 37
        case .xRequestID: 38
        case .xRequestedWith: 39
        case .accessControlRequestMethod: 40
        case .wwwAuthenticate: 41
        case .persistentAuth: 42
        }
    }
}
