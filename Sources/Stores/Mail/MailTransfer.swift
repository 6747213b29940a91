import CCurl
import Primitives

/// One mail on its way to the server, over libcurl. Blocks for at most the timeout.
struct MailTransfer {
    let library: CurlLibrary
    let server: MailServer
    /// Certificates to trust instead of the system's, as a PEM file.
    let trustFile: String?
    let timeout: Duration

    func send(_ mail: RenderedMail, greeting: String) throws(MailError) {
        let functions = library.functions
        guard let handle = functions.pointee.curl_easy_init() else { throw .failed("libcurl makes no handle; the memory may not suffice") }
        defer { functions.pointee.curl_easy_cleanup(handle) }
        guard let recipients = functions.pointee.curl_slist_append(nil, "<\(mail.to)>") else { throw .failed("no memory") }
        defer { functions.pointee.curl_slist_free_all(recipients) }
        let conversation = MailConversation(mail, security: server.url.security)
        let code = withExtendedLifetime(conversation) { () -> CURLcode in
            var options = Options(functions: functions, handle: handle)
            setConnection(&options, greeting: greeting)
            options.set(CURLOPT_MAIL_FROM, "<\(mail.from)>")
            options.check(gateway_curl_set_list(functions, handle, CURLOPT_MAIL_RCPT, recipients))
            options.set(CURLOPT_UPLOAD, 1)
            setCallbacks(&options, Unmanaged.passUnretained(conversation).toOpaque())
            return options.code == CURLE_OK ? functions.pointee.curl_easy_perform(handle) : options.code
        }
        guard code != CURLE_OK else { return }
        if conversation.lacksSMTPUTF8 { throw .needsSMTPUTF8 }
        throw error(code, status: gateway_curl_status(functions, handle))
    }

    /// Options that are set until one fails.
    private struct Options {
        let functions: UnsafePointer<gateway_libcurl>
        let handle: UnsafeMutableRawPointer
        private(set) var code = CURLE_OK

        mutating func set(_ option: CURLoption, _ value: Int) {
            let (functions, handle) = (functions, handle)
            check(gateway_curl_set_number(functions, handle, option, value))
        }

        /// libcurl copies the text.
        mutating func set(_ option: CURLoption, _ value: String) {
            let (functions, handle) = (functions, handle)
            check(gateway_curl_set_text(functions, handle, option, value))
        }

        mutating func check(_ next: @autoclosure () -> CURLcode) {
            if code == CURLE_OK { code = next() }
        }
    }

    private func setConnection(_ options: inout Options, greeting: String) {
        // The path is the name of EHLO.
        options.set(CURLOPT_URL, "\(server.url.security == .tls ? "smtps" : "smtp")://\(server.url.host):\(server.url.port)/\(greeting)")
        if let user = server.user, let password = server.password {
            options.set(CURLOPT_USERNAME, user)
            options.set(CURLOPT_PASSWORD, password)
        }
        // Neither the environment nor a file of the user changes where mails go.
        options.set(CURLOPT_PROXY, "")
        options.set(CURLOPT_NETRC, 0)
        options.set(CURLOPT_USE_SSL, server.url.security == .plain ? 0 : 3)  // CURLUSESSL_NONE, CURLUSESSL_ALL
        options.set(CURLOPT_SSL_VERIFYPEER, 1)
        options.set(CURLOPT_SSL_VERIFYHOST, 2)
        options.set(CURLOPT_SSLVERSION, 6)  // CURL_SSLVERSION_TLSv1_2 and newer
        if let trustFile { options.set(CURLOPT_CAINFO, trustFile) }
        // Signals would interrupt other threads.
        options.set(CURLOPT_NOSIGNAL, 1)
        options.set(CURLOPT_TIMEOUT_MS, timeout.milliseconds)
        options.set(CURLOPT_CONNECTTIMEOUT_MS, timeout.milliseconds)
    }

    private func setCallbacks(_ options: inout Options, _ context: UnsafeMutableRawPointer) {
        let (functions, handle) = (options.functions, options.handle)
        options.check(
            gateway_curl_set_reader(
                functions, handle,
                { buffer, size, count, context in
                    guard let buffer, let context else { return 0 }
                    let space = UnsafeMutableRawBufferPointer(start: buffer, count: size * count)
                    return Unmanaged<MailConversation>.fromOpaque(context).takeUnretainedValue().read(into: space)
                }, context))
        options.check(
            gateway_curl_set_header_writer(
                functions, handle,
                { bytes, size, count, context in
                    guard let bytes, let context else { return 0 }
                    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
                    let mayContinue = Unmanaged<MailConversation>.fromOpaque(context).takeUnretainedValue().received(line)
                    // Any other number ends the transfer.
                    return mayContinue ? size * count : 0
                }, context))
        options.check(gateway_curl_set_writer(functions, handle, { _, size, count, _ in size * count }))
    }

    private func error(_ code: CURLcode, status: Int) -> MailError {
        switch code {
        case CURLE_OPERATION_TIMEDOUT: .timeout
        case CURLE_COULDNT_RESOLVE_HOST: .unreachable("the host name does not resolve")
        case CURLE_COULDNT_CONNECT: .unreachable("it cannot be reached at port \(server.url.port)")
        case CURLE_LOGIN_DENIED: .credentials
        case CURLE_USE_SSL_FAILED: .insecure("the mail server does not offer STARTTLS; use smtps://, or add ?starttls=never to mail.url")
        case CURLE_PEER_FAILED_VERIFICATION: .insecure("the mail server's certificate is not trusted, or is of another host")
        case CURLE_SSL_CONNECT_ERROR: .insecure("the TLS handshake with the mail server failed; the port may be one without TLS")
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_NOT_BUILT_IN, CURLE_UNKNOWN_OPTION:
            .library("the installed libcurl was built without SMTP or TLS; install the distribution's libcurl")
        case _ where (400...599).contains(status): .refused(status: status)
        default: .failed("libcurl: \(library.functions.pointee.curl_easy_strerror(code).map { String(cString: $0) } ?? "an unknown error")")
        }
    }
}

extension Duration {
    /// At least one: libcurl takes zero for no limit.
    fileprivate var milliseconds: Int {
        max(1, Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000))
    }
}

/// The gateway's side of one SMTP conversation: what libcurl reads, and what it reports.
final class MailConversation {
    private var rest: ArraySlice<UInt8>
    private let needsSMTPUTF8: Bool
    /// The number of the EHLO whose answer counts: after STARTTLS it is the second.
    private let decidingGreeting: Int
    private var greetings = 0
    private var isGreeting = false
    private var offersSMTPUTF8 = false
    private(set) var lacksSMTPUTF8 = false

    init(_ mail: RenderedMail, security: MailURL.Security) {
        rest = mail.bytes[...]
        needsSMTPUTF8 = mail.needsSMTPUTF8
        decidingGreeting = security == .startTLS ? 2 : 1
    }

    func read(into space: UnsafeMutableRawBufferPointer) -> Int {
        let part = rest.prefix(space.count)
        space.copyBytes(from: part)
        rest = rest.dropFirst(part.count)
        return part.count
    }

    /// Takes a line of the server. False ends the transfer: libcurl would send an address in UTF-8 to any server.
    func received(_ line: UnsafeRawBufferPointer) -> Bool {
        guard needsSMTPUTF8, line.count >= 4 else { return true }
        let isLast = line[3] != UInt8(ascii: "-")
        switch (line[0], line[1], line[2]) {
        // The server's first line, and its answer to STARTTLS: EHLO follows.
        case (0x32, 0x32, 0x30):
            if isLast { (isGreeting, offersSMTPUTF8) = (true, false) }
        case (0x32, 0x35, 0x30) where isGreeting:
            // libcurl knows the keyword only in upper case, and would not use it.
            if line.dropFirst(4).prefix(while: { $0 > 0x20 }).elementsEqual("SMTPUTF8".utf8) { offersSMTPUTF8 = true }
            guard isLast else { break }
            isGreeting = false
            greetings += 1
            lacksSMTPUTF8 = greetings >= decidingGreeting && !offersSMTPUTF8
        default: break
        }
        return !lacksSMTPUTF8
    }
}
