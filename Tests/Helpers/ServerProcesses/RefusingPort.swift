import Glibc

/// A port of 127.0.0.1 at which every connection is refused, held until it is closed.
package struct RefusingPort {
    package let port: Int
    private let descriptor: CInt

    package init?() {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = self.descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard descriptor >= 0, isBound else { return nil }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    package func close() { _ = Glibc.close(descriptor) }
}
