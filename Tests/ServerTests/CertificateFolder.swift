import Foundation
import TestTools

@testable import Server

/// A folder of its own for each test, gone with it.
final class CertificateFolder {
    private let folder: TemporaryFolder
    var path: String { folder.path }
    init() throws { folder = try TemporaryFolder() }

    /// Replaces the file, as renewal programs do: a new inode each time.
    func write(_ name: String, as file: String) throws {
        let text = ExampleCertificates.files[name] ?? name
        let target = path + "/" + file
        try text.write(toFile: target + ".new", atomically: false, encoding: .utf8)
        _ = rename(target + ".new", target)
    }

    var settings: TLSSettings { TLSSettings(certificates: [.init(certificate: path + "/tls.crt", key: path + "/tls.key")]) }
}
