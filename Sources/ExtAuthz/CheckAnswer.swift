package import Decisions
package import NIOCore
import SwiftProtobuf

/// An answer of Envoy's external authorization over gRPC, as the body of the call.
package enum CheckAnswer {
    /// Codes of google.rpc.
    private static let permissionDenied: Int32 = 7
    private static let unauthenticated: Int32 = 16

    /// Lets the request pass. `lines`: complete field lines of `PermitLines`, and `Set-Cookie` lines for the browser.
    package static func permit(lines: String) -> ByteBuffer {
        var answer = ExtAuthz_OKResponse()
        for (name, value) in fields(lines) {
            switch name.lowercased() {
            case PermitLines.removal: answer.headersToRemove += value.split(separator: ",").map(String.init)
            case "set-cookie": answer.responseHeadersToAdd.append(option("set-cookie", value))
            case "cache-control": continue
            default: answer.headers.append(option(name.lowercased(), value))
            }
        }
        var response = ExtAuthz_CheckResponse()
        response.status = ExtAuthz_Status()
        response.ok = answer
        return framed(response)
    }

    package static func denied(_ given: QuestionAnswer) -> ByteBuffer {
        var answer = ExtAuthz_DeniedResponse()
        answer.status.code = Int32(clamping: given.status)
        answer.headers = given.fields.map { option($0.name.lowercased(), $0.value) }
        answer.body = String(buffer: given.body)
        var response = ExtAuthz_CheckResponse()
        response.status.code = given.status == 401 || given.status == 302 ? unauthenticated : permissionDenied
        response.denied = answer
        return framed(response)
    }

    private static func fields(_ lines: String) -> [(name: String, value: String)] {
        lines.split(separator: "\r\n").compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
    }

    /// Replaces what the request or response has; several cookies stay beside each other.
    private static func option(_ name: String, _ value: String) -> ExtAuthz_HeaderValueOption {
        var option = ExtAuthz_HeaderValueOption()
        option.header.key = name
        option.header.value = value
        if name == "set-cookie" {
            option.append.value = true
        } else {
            option.appendAction = .overwriteIfExistsOrAdd
        }
        return option
    }

    /// The message with its flag and length.
    private static func framed(_ response: ExtAuthz_CheckResponse) -> ByteBuffer {
        // Encoding fails for messages above 2 GiB. An empty message would let the request pass, so this one has the status `permissionDenied`.
        let bytes: [UInt8] = (try? response.serializedBytes()) ?? [0x0A, 0x02, 0x08, UInt8(permissionDenied)]
        var buffer = ByteBuffer()
        buffer.reserveCapacity(bytes.count + 5)
        buffer.writeInteger(UInt8(0))
        buffer.writeInteger(UInt32(clamping: bytes.count))
        buffer.writeBytes(bytes)
        return buffer
    }
}
