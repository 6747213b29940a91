package import Decisions
package import Exchanges
import HTTPWire
package import NIOCore
package import Pages
import SignIn

/// A whole response of our own: a page, JSON, or a redirect.
package struct Answer: Sendable {
    package var status: Int
    /// Names and values without CR and LF; see `add`.
    package private(set) var headers: [(name: String, value: String)]
    private var body: [UInt8]
    /// Rendered when it is sent, in the language of the request's browser.
    private var page: (any LocalizedPage)?
    private var hsts: String?
    /// Complete lines besides.
    package var lines: ByteBuffer?
    /// The stable code of an error, for the log.
    package var code: String?
    /// The address at which the user can meet what the route demands, for other proxies.
    package var nextStep: NextStep?

    package struct NextStep: Sendable {
        let address: String
        /// A browser should be sent there.
        let leadsBrowsers: Bool
    }

    package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [], lines: ByteBuffer? = nil) {
        self.lines = lines
        self.status = status
        self.headers = headers
        self.body = body
    }

    package init(_ page: any LocalizedPage, hsts: String?) {
        self.init(status: page.status)
        self.page = page
        self.hsts = hsts
    }

    package static func json(status: Int, _ body: [UInt8], hsts: String?) -> Answer {
        Answer(status: status, headers: PageSecurityHeaders.json(hsts: hsts), body: body)
    }

    package static func noContent(hsts: String?) -> Answer { Answer(status: 204, headers: PageSecurityHeaders.redirect(hsts: hsts)) }

    /// 302 for a GET, 303 after a POST: never a status that repeats a body (RFC 9700 section 4.12).
    package static func redirect(status: Int, to location: String, hsts: String?) -> Answer {
        var answer = Answer(status: status, headers: PageSecurityHeaders.redirect(hsts: hsts))
        answer.add("Location", location)
        return answer
    }

    /// Adds a field. A value with a control character is dropped: it would end the line.
    package mutating func add(_ name: String, _ value: String) {
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return }
        headers.append((name, value))
    }

    package mutating func setCookies(_ lines: [String]) {
        for line in lines { add("Set-Cookie", line) }
    }

    /// Sends it as the exchange's response.
    ///
    /// A page of another origin that may call the request's route may read this, too. `request`: nil on the admin listener.
    package func send(on exchange: Exchange, for request: RequestContext?) {
        let crossOriginLines = request?.crossOriginLines
        let rendered = page?.render(in: Language(of: exchange.head))
        exchange.respond(status: status, body: ByteBuffer(bytes: rendered?.body ?? body)) { output in
            for (name, value) in (rendered?.headers(hsts: hsts) ?? []) + headers {
                output.put(text: name)
                output.put(": ")
                output.put(text: value)
                output.put("\r\n")
            }
            if let lines { output.put(lines) }
            if let nextStep, request?.isQuestion == true {
                output.put(text: "\(QuestionAnswer.location): \(nextStep.address)\r\n")
                if nextStep.leadsBrowsers { output.put(text: "\(QuestionAnswer.redirect): \(nextStep.address)\r\n") }
            }
            if let crossOriginLines { output.put(crossOriginLines) }
        }
    }
}

extension Language {
    /// Negotiates the language from `ui_locales` in the query, else from `Accept-Language`.
    init(of head: RequestHead) {
        let wanted = head.bytes.readableBytes > 0 ? FormCoding.fields(of: head.queryText)?.first { $0.name == "ui_locales" }?.value : nil
        self = .negotiated(uiLocales: wanted, acceptLanguage: head.value(named: "accept-language"))
    }
}
