import HTTPWire
import NIOCore
import NIOHTTP2

/// The limits for an HTTP/2 client beyond the specification (RFC 9113 section 10.5).
enum HTTP2Limits {
    static let concurrentStreams = 128
    /// The most unread bytes of one stream's body.
    static let streamWindow = 256 * 1024
    /// The same for all streams of a connection together.
    static let connectionWindow = 1024 * 1024
    /// The unsent bytes of one stream's response: above the first limit its source pauses, below the second it continues.
    static let outputHigh = 64 * 1024
    static let outputLow = 32 * 1024
    /// Malformed requests of one connection (RFC 9113 section 8.1.1); a client that goes on is made to stop (CVE-2025-8671).
    static let malformedRequests = 500

    static func configuration(_ settings: ServerSettings) -> NIOHTTP2Handler.Configuration {
        var configuration = NIOHTTP2Handler.Configuration()
        let connection = NIOHTTP2Handler.ConnectionConfiguration()
        configuration.connection = connection
        configuration.connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: concurrentStreams),
            HTTP2Setting(parameter: .initialWindowSize, value: streamWindow),
            HTTP2Setting(parameter: .maxHeaderListSize, value: headerListSize(settings)),
        ]
        // `HTTP2RequestHead`, `HTTP2FieldLines` and `HTTP2Stream` check the same rules and more; twice is a fifth of a request's cost.
        configuration.connection.headerBlockValidation = .disabled
        configuration.connection.contentLengthValidation = .disabled
        // A client that ends its body late may send one or two of them; more are a flood (CVE-2019-9518).
        configuration.connection.maximumSequentialEmptyDataFrames = 8
        // Answers to PING and SETTINGS that the client does not read (CVE-2019-9512, CVE-2019-9515).
        configuration.connection.maximumBufferedControlFrames = 1_000
        // A head of the largest size takes this many frames of the smallest size we allow (CVE-2024-27316).
        configuration.connection.maximumSequentialContinuationFrames = max(5, headerListSize(settings) / 16_384 + 3)
        // Frames for a stream that we have reset may be under way for as many as were open.
        configuration.connection.maximumRecentlyResetStreams = 2 * concurrentStreams
        configuration.connection.maximumConnectionGlitches = 1_000
        // gRPC measures the path with a PING for each burst of data.
        configuration.connection.controlFrameRateLimit.maximumCount = 5_000
        configuration.connection.controlFrameRateLimit.windowLength = .seconds(10)
        // A map that is moved around cancels hundreds of requests; an attack, hundreds of thousands (CVE-2023-44487).
        configuration.stream.streamResetFrameRateLimit.maximumCount = 1_000
        configuration.stream.streamResetFrameRateLimit.windowLength = .seconds(10)
        // Resets that the client makes us send (CVE-2025-8671).
        configuration.stream.streamErrorRateLimit.maximumCount = 500
        configuration.stream.streamErrorRateLimit.windowLength = .seconds(10)
        return configuration
    }

    /// Announced, and the end of a connection that goes beyond. RFC 9113 section 6.5.2 counts 32 bytes a field; a head beyond
    /// `headerBytes` but within this is answered with 431.
    static func headerListSize(_ settings: ServerSettings) -> Int {
        2 * settings.headLimits.bytes + 32 * (settings.headLimits.fields + 8)
    }
}
