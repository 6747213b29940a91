import Foundation
import HTTPWire
import Testing

@testable import Server

@Suite("Certificates and their renewal")
struct TLSContextsTests {
    private func text(_ reload: TLSContexts.Reload) -> String {
        switch reload {
        case .unchanged: "unchanged"
        case .replaced(let names): "replaced " + names.map { $0.joined(separator: " ") }.joined(separator: ", ")
        case .failed(let failure): "failed \(failure.file.split(separator: "/").last ?? ""): \(failure.reason.prefix(20))"
        }
    }

    @Test("New files are taken at the second look that finds them the same, once")
    func settled() throws {
        let folder = try CertificateFolder()
        try folder.write("expired.crt", as: "tls.crt")
        try folder.write("app.key", as: "tls.key")
        let contexts = try TLSContexts(folder.settings)
        #expect(text(contexts.reloadIfChanged()) == "unchanged")
        try folder.write("app.crt", as: "tls.crt")
        #expect(text(contexts.reloadIfChanged()) == "unchanged", "it may still be being written")
        try folder.write("app.key", as: "tls.key")
        #expect(text(contexts.reloadIfChanged()) == "unchanged", "and was")
        #expect(text(contexts.reloadIfChanged()) == "replaced app.example.com *.apps.example.com 192.0.2.7 2001:db8::1")
        #expect(text(contexts.reloadIfChanged()) == "unchanged")
        #expect(contexts.choose(serverName: nil).names.names.count == 4)
    }

    @Test(
        "What cannot be used is reported once, and the old certificate stays",
        arguments: [
            ("tls.key", "other.key", "failed tls.key: is not the key of th"),
            ("tls.key", "locked.key", "failed tls.key: is protected by a pa"),
            ("tls.key", "nonsense", "failed tls.key: contains no private "),
            ("tls.crt", "nonsense", "failed tls.crt: contains no certific"),
            ("tls.crt", "", "failed tls.crt: contains no certific"),
        ])
    func broken(file: String, content: String, expected: String) throws {
        let folder = try CertificateFolder()
        try folder.write("expired.crt", as: "tls.crt")
        try folder.write("app.key", as: "tls.key")
        let contexts = try TLSContexts(folder.settings)
        try folder.write(content, as: file)
        _ = contexts.reloadIfChanged()
        #expect(text(contexts.reloadIfChanged()) == expected)
        #expect(text(contexts.reloadIfChanged()) == "unchanged")
        #expect(contexts.choose(serverName: nil).names.names == ["app.example.com"])
        #expect(throws: TLSFailure.self) { _ = try TLSContexts(folder.settings) }
    }

    @Test("A file that is gone leaves the old certificate in use; one that comes back is read")
    func gone() throws {
        let folder = try CertificateFolder()
        try folder.write("expired.crt", as: "tls.crt")
        try folder.write("app.key", as: "tls.key")
        let contexts = try TLSContexts(folder.settings)
        try FileManager.default.removeItem(atPath: folder.path + "/tls.crt")
        _ = contexts.reloadIfChanged()
        #expect(text(contexts.reloadIfChanged()) == "failed tls.crt: no such file")
        try folder.write("app.crt", as: "tls.crt")
        _ = contexts.reloadIfChanged()
        #expect(text(contexts.reloadIfChanged()).hasPrefix("replaced"))
    }
}
