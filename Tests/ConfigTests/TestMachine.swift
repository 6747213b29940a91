import Config
import Diagnostics
import Testing

/// Reads a text on a machine with a few variables and files.
func read(_ text: String) -> ConfigReader.Reading {
    let variables = ["PORT": "8080", "LEVEL": "debug", "EMPTY": "", "DOLLAR": "${env:PORT}", "YAML": "a: [b]\n- c", "ZEROS": "0123"]
    let files: [String: [UInt8]] = [
        "./secret": Array("s3cret-value\n".utf8), "./windows": Array("s3cret-value\r\n".utf8), "./two": Array("s3cret-value\n\n".utf8),
        "./empty": [], "./binary": [0xFF], "./bom": Array("\u{FEFF}x".utf8),
        "./tls.key": Array("-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----\n".utf8),
    ]
    let surroundings = Surroundings(
        variable: { variables[$0] },
        file: { path in files[path].map { .contents($0, FileFacts()) } ?? .unreadable(reason: "no such file") })
    return ConfigReader.read(SourceFile(name: "gateway.yaml", text: text), surroundings: surroundings)
}

/// `rule line:column` of each finding, in the order of reading.
func findings(_ reading: ConfigReader.Reading) -> [String] {
    reading.diagnostics.map { finding in
        let place = reading.document.source.position(at: finding.span.start)
        return "\(finding.rule.rawValue) \(place.line):\(place.column)"
    }
}
