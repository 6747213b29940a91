import CCurl

/// libcurl, loaded when the first mail is sent: a gateway without mail needs no such library.
///
/// Unchecked: the table is filled once and only read then, and libcurl's functions may run on any thread, each with its own handle.
final class CurlLibrary: @unchecked Sendable {
    let functions: UnsafePointer<gateway_libcurl>

    /// Kept for the life of the process, like the library.
    private init(functions: UnsafePointer<gateway_libcurl>) { self.functions = functions }

    static let shared: Result<CurlLibrary, MailError> = load("libcurl.so.4")

    static func load(_ name: String) -> Result<CurlLibrary, MailError> {
        let table = UnsafeMutablePointer<gateway_libcurl>.allocate(capacity: 1)
        switch gateway_load_libcurl(name, table) {
        case 0:
            guard gateway_curl_initialize(table) == CURLE_OK else { return .failure(.library("\(name) does not start")) }
            return .success(CurlLibrary(functions: table))
        case 1:
            table.deallocate()
            return .failure(.library("\(name) is not installed; on Debian and Ubuntu: apt-get install libcurl4"))
        default:
            table.deallocate()
            return .failure(.library("\(name) lacks functions of libcurl 7.20; install the distribution's libcurl"))
        }
    }
}
