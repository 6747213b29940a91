import AsyncHTTPClient
import NIOCore
import NIOSSL

extension HTTPClient.Configuration {
    /// The settings of every call to another server: no redirect, no proxy, no decompression, and a certificate that is always verified,
    /// against the system's roots and `additionalTrustRoots`, its name included.
    ///
    /// `connections`: the most to one host; further calls queue.
    static func outgoing(additionalTrustRoots: [NIOSSLCertificate], connections: Int) -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if !additionalTrustRoots.isEmpty { tls.additionalTrustRoots = [.certificates(additionalTrustRoots)] }
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        configuration.redirectConfiguration = .disallow
        configuration.proxy = nil
        configuration.decompression = .disabled
        configuration.timeout.connect = .seconds(5)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        // A refused connection fails the call at once.
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }
}
