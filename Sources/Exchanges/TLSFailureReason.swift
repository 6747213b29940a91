import NIOCore
package import NIOSSL

/// Names TLS errors for logs. The library's own descriptions hold the path and line of its source.
package enum TLSFailureReason {
    /// A word out of a set that no client can extend: `NO_SHARED_CIPHER`, `connection-closed`.
    package static func code(of error: any Error) -> String {
        switch error {
        case NIOSSLError.handshakeFailed(let inner), NIOSSLError.shutdownFailed(let inner): return code(of: inner)
        case NIOSSLError.uncleanShutdown: return "connection-closed"
        case is NIOSSLExtraError: return "certificate-name"
        case let error as BoringSSLError:
            let name = libraryName(in: error)
            return name.isEmpty ? "connection-closed" : name
        case is IOError, is ChannelError: return "connection-closed"
        default: return "\(type(of: error))"
        }
    }

    /// The library's name for what went wrong: `CERTIFICATE_VERIFY_FAILED`. Empty for an error that the library has no name for.
    package static func libraryName(in error: BoringSSLError) -> String { libraryName(in: String(describing: error)) }

    static func libraryName(in description: String) -> String {
        guard let marker = description.utf8.firstRange(of: "OPENSSL_internal:".utf8) else { return "" }
        return String(decoding: description.utf8[marker.upperBound...].prefix { $0 > 0x20 && $0 != UInt8(ascii: ",") }, as: UTF8.self)
    }
}
