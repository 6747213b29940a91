/// The reason why a message was rejected, with one case per reason. The name is the log's reason code and a metric's label.
package enum WireError: String, Error, Sendable, CaseIterable {
    // Request line.
    case requestLineMalformed = "request-line-malformed"
    case requestLineTooLong = "request-line-too-long"
    case methodInvalid = "method-invalid"
    case targetInvalid = "target-invalid"
    case targetFormNotAllowed = "target-form-not-allowed"
    case methodNotAllowed = "method-not-allowed"
    case versionUnsupported = "version-unsupported"
    // Fields.
    case lineEndingInvalid = "line-ending-invalid"
    case fieldNameInvalid = "field-name-invalid"
    case fieldValueInvalid = "field-value-invalid"
    case fieldFolded = "field-folded"
    case fieldDuplicate = "field-duplicate"
    case tooManyFields = "too-many-fields"
    case headTooLarge = "head-too-large"
    case hostMissing = "host-missing"
    case hostInvalid = "host-invalid"
    case connectionInvalid = "connection-invalid"
    case expectationUnknown = "expectation-unknown"
    // Framing.
    case contentLengthInvalid = "content-length-invalid"
    case transferEncodingInvalid = "transfer-encoding-invalid"
    case transferEncodingUnknown = "transfer-encoding-unknown"
    case transferEncodingWithLength = "transfer-encoding-with-content-length"
    case transferEncodingInOldVersion = "transfer-encoding-in-http-1.0"
    case chunkInvalid = "chunk-invalid"
    case chunkExtensionTooLong = "chunk-extension-too-long"
    case trailersInvalid = "trailers-invalid"
    case bodyTooLarge = "body-too-large"
    // Responses.
    case statusLineMalformed = "status-line-malformed"
    case unexpectedBytes = "unexpected-bytes"
    case truncated = "truncated"

    /// The status for a request that was rejected for this reason.
    package var status: Int {
        switch self {
        case .requestLineTooLong: 414
        case .methodNotAllowed: 405
        case .versionUnsupported: 505
        case .tooManyFields, .headTooLarge: 431
        case .expectationUnknown: 417
        case .transferEncodingUnknown: 501
        case .bodyTooLarge: 413
        default: 400
        }
    }
}
