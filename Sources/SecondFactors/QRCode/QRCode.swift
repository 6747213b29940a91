import CQREncode

/// A QR code (ISO/IEC 18004) as an image that a page contains: SVG without scripts and styles.
package struct QRCode: Sendable {
    /// Modules on each side.
    let width: Int
    /// Row by row; true is dark.
    let modules: [Bool]

    /// Light modules around the code, as the standard requires.
    private static let quietZone = 4

    /// Nil where libqrencode is not installed, and for a text that is too long: the page then shows the text alone.
    package init?(_ text: String) { self.init(text, library: .shared) }

    init?(_ text: String, library: QREncodeLibrary?) {
        guard let library, let matrix = library.encode(Array(text.utf8)) else { return nil }
        (width, modules) = matrix
    }

    /// `label`: what the image shows, for users who do not see it. A module is one unit of the view box.
    package func svg(label: String) -> String {
        let size = width + 2 * Self.quietZone
        var path = ""
        for row in 0..<width {
            var column = 0
            while column < width {
                guard modules[row * width + column] else {
                    column += 1
                    continue
                }
                // A run of dark modules is one rectangle.
                let start = column
                while column < width, modules[row * width + column] { column += 1 }
                path += "M\(start + Self.quietZone) \(row + Self.quietZone)h\(column - start)v1h-\(column - start)z"
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size) \(size)" role="img" aria-label="\(Self.escaped(label))" \
            shape-rendering="crispEdges"><rect width="\(size)" height="\(size)" fill="#fff"/><path fill="#000" d="\(path)"/></svg>
            """
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { output, character in
            switch character {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            case "'": output += "&#39;"
            default: output.append(character)
            }
        }
    }
}

/// libqrencode, loaded for the first QR code: a gateway without second factors needs no such library.
///
/// Unchecked: the table is filled once and only read then, and each call of libqrencode works on memory of its own.
final class QREncodeLibrary: @unchecked Sendable {
    private let functions: gateway_libqrencode

    static let shared = QREncodeLibrary("libqrencode.so.4")

    /// Nil if the library is not installed or lacks a function. It stays loaded until the process ends.
    init?(_ name: String) {
        var table = gateway_libqrencode()
        guard gateway_load_libqrencode(name, &table) == 0 else { return nil }
        functions = table
    }

    /// Error correction level M. Nil for more than about 2,300 bytes.
    func encode(_ bytes: [UInt8]) -> (width: Int, modules: [Bool])? {
        guard !bytes.isEmpty, bytes.count <= 2_331, let code = functions.QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M)
        else {
            return nil
        }
        defer { functions.QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard width > 0, width <= 177, let data = code.pointee.data else { return nil }
        // The lowest bit of each byte is the module's colour.
        return (width, UnsafeBufferPointer(start: data, count: width * width).map { $0 & 1 == 1 })
    }
}
