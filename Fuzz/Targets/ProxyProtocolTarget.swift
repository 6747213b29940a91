import Primitives
import HTTPWire

/// A PROXY protocol header is the same however it arrives: no part of it is one, and what follows it changes nothing.
enum ProxyProtocolTarget {
    private enum Outcome: Equatable {
        case more
        case header(ProxyProtocolHeader)
        case refused(ProxyProtocolError)
    }

    static func check(_ bytes: [UInt8]) throws(Broken) {
        let whole = outcome(bytes)
        switch whole {
        case .header(let header):
            try hold(header.length <= bytes.count && header.length <= ProxyProtocolHeader.maximumLength, "a header longer than its bytes")
            for count in 0..<header.length {
                try hold(outcome(Array(bytes[..<count])) == .more, "\(count) bytes of a header are decided about")
            }
            try hold(outcome(Array(bytes[..<header.length])) == whole, "what follows the header changes it")
            if let source = header.source { try checkSource(source) }
        case .refused:
            // Refused at some byte, and at every one from there on.
            var isRefused = false
            for count in 0...bytes.count {
                let outcome = outcome(Array(bytes[..<count]))
                if case .header = outcome { throw Broken("a beginning of what is refused is a header") }
                if isRefused { try hold(outcome != .more, "what was refused is waited for again") }
                if outcome != .more { isRefused = true }
            }
        case .more:
            try hold(bytes.count < ProxyProtocolHeader.maximumLength, "a header is waited for without end")
        }
    }

    /// An address that was read is one that can be written and read again.
    private static func checkSource(_ source: ProxyProtocolHeader.Source) throws(Broken) {
        let family = source.address.isIPv4 ? "TCP4" : "TCP6"
        let line = "PROXY \(family) \(source.address) \(source.address) \(source.port) \(source.port)\r\n"
        guard case .header(let header) = outcome(Array(line.utf8)) else { throw Broken("an address that was read cannot be written") }
        try hold(header.source == source, "an address that was read and written is another one")
    }

    private static func outcome(_ bytes: [UInt8]) -> Outcome {
        do throws(ProxyProtocolError) {
            return try ProxyProtocolHeader.parse(bytes.span.bytes).map(Outcome.header) ?? .more
        } catch {
            return .refused(error)
        }
    }
}
