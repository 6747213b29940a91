/// A small model of RFC 9112 and of the limits of a connection: what a client connection must send, report and close. Written for
/// clarity and for these tests: it reads whole strings, and knows only the messages that `RandomClient` sends.
struct HTTP1ConnectionModel {
    enum Limit { case idle, head, body, write, linger }
    enum Framing: Equatable { case length(Int), chunked, untilClose }
    enum Body { case length(Int), size, chunk(Int), chunkEnd, trailers }

    // What can be compared.
    var output = ""
    var log: [String] = []
    var isOpen = true
    var isOutputClosed = false

    // The request.
    var inbox: [UInt8] = []
    var hasEnded = false
    /// The head of the request; nil between requests.
    var request: (minorVersion: Int, keepsAlive: Bool, expectsContinue: Bool)?
    /// Nil: the body is complete.
    var body: Body?
    var isWanted = false
    var isPaused = false
    var bodyLimit: Int?
    var received = 0
    var isTunnel = false
    var hasDelegate = false

    // The response.
    var isPending = false
    var framing: Framing?
    var status = 0
    var isLast = false
    var mustLinger = false
    /// The last response waits to be written out.
    var isFinishing = false
    var lingersAfterwards = false
    var isStalled = false
    var isFull = false
    var isDraining = false
    var isWatched = false
    var limit: Limit? = .idle

    var isAnswering: Bool { isPending || framing != nil }

    mutating func report(_ event: String) {
        // How a body is divided is of no interest.
        if event.hasPrefix("body "), let last = log.last, last.hasPrefix("body "), let more = Int(event.dropFirst(5)),
            let before = Int(last.dropFirst(5))
        {
            log[log.count - 1] = "body \(before + more)"
        } else {
            log.append(event)
        }
    }

    mutating func tellDelegate(_ event: String, isLast: Bool = false) {
        if hasDelegate { report(event) }
        if isLast { hasDelegate = false }
    }

    // MARK: The client

    mutating func receive(_ bytes: [UInt8]) {
        guard isOpen, !isOutputClosed else { return }
        inbox += bytes
        process()
    }

    mutating func endInput() {
        guard isOpen, !hasEnded else { return }
        hasEnded = true
        if isFinishing { return }
        if isTunnel || isOutputClosed || request == nil && !isAnswering && inbox.isEmpty { return close() }
        isLast = true
        process()
        if isOpen, isAnswering { isWatched = true }
    }

    mutating func reset() {
        if isOpen { close() }
    }

    mutating func setFull(_ full: Bool) {
        guard isOpen else { return }
        isFull = full
        if isOutputClosed { return }
        if full {
            if framing != nil, !isTunnel { limit = .write }
        } else {
            if limit == .write, !isFinishing { limit = isAnswering ? nil : .idle }
            if !isAnswering { process() }
        }
    }

    mutating func setStalled(_ stalled: Bool) {
        isStalled = stalled
        if !stalled, isFinishing { written() }
    }

    /// Time passes until nothing more happens by itself.
    mutating func wait() {
        while isOpen {
            if isWatched, isAnswering {
                abort()
                continue
            }
            guard let expired = limit else { return }
            limit = nil
            switch expired {
            case .idle, .linger: close()
            case .head: refuse(408)
            case .body where isPending:
                tellDelegate("closed", isLast: true)
                refuse(408)
            case .body: abort()
            case .write: close()
            }
        }
    }

    // MARK: Requests

    mutating func process() {
        while isOpen, !isOutputClosed, step() {}
        if isOutputClosed { inbox = [] }
    }

    mutating func step() -> Bool {
        if isTunnel {
            guard !isPaused, !inbox.isEmpty else { return false }
            tellDelegate("body \(inbox.count)")
            inbox = []
            return true
        }
        if request != nil { return bodyStep() }
        guard !isAnswering, !isFinishing else { return false }
        if isFull {
            limit = .write
            return false
        }
        guard let first = inbox.first else {
            if hasEnded { close() }
            return false
        }
        guard first != UInt8(ascii: "@") else {
            refuse(400)
            return false
        }
        let text = String(decoding: inbox, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n") else {
            if hasEnded { close() } else { limit = .head }
            return false
        }
        let lines = text[..<end.lowerBound].split(separator: "\r\n")
        inbox.removeFirst(text[..<end.upperBound].utf8.count)
        let minorVersion = lines[0].hasSuffix("1.1") ? 1 : 0
        request = (
            minorVersion, minorVersion == 1 ? !lines.contains("Connection: close") : lines.contains("Connection: keep-alive"),
            lines.contains("Expect: 100-continue")
        )
        body = nil
        for line in lines where line.hasPrefix("Content-Length: ") { body = Int(line.dropFirst(16)).map { .length($0) } }
        if lines.contains("Transfer-Encoding: chunked") { body = .size }
        isWanted = false
        isPaused = false
        received = 0
        isPending = true
        status = 0
        limit = nil
        report("begin \(lines[0])")
        hasDelegate = true
        return true
    }

    mutating func bodyStep() -> Bool {
        guard let body, isWanted, !isPaused else { return false }
        switch body {
        case .length(let rest), .chunk(let rest):
            guard !inbox.isEmpty else { return missingBody() }
            let count = min(rest, inbox.count)
            inbox.removeFirst(count)
            received += count
            if let bodyLimit, received > bodyLimit { return brokenBody("body-too-large", 413) }
            tellDelegate("body \(count)")
            if case .chunk = body {
                self.body = rest == count ? .chunkEnd : .chunk(rest - count)
            } else {
                self.body = .length(rest - count)
            }
            if case .length = body, rest == count { endBody() }
        case .chunkEnd:
            guard inbox.count >= 2 else { return missingBody() }
            inbox.removeFirst(2)
            self.body = .size
        case .size:
            guard let first = inbox.first else { return missingBody() }
            guard first != UInt8(ascii: "z") else { return brokenBody("chunk-invalid", 400) }
            guard let end = inbox.firstIndex(of: 10) else { return missingBody() }
            let size = Int(String(decoding: inbox[..<(end - 1)], as: UTF8.self), radix: 16) ?? 0
            inbox.removeFirst(end + 1)
            self.body = size > 0 ? .chunk(size) : .trailers
        case .trailers:
            let text = String(decoding: inbox, as: UTF8.self)
            if text.hasPrefix("\r\n") {
                inbox.removeFirst(2)
            } else if let end = text.firstRange(of: "\r\n\r\n") {
                inbox.removeFirst(text[..<end.upperBound].utf8.count)
            } else {
                return missingBody()
            }
            endBody()
        }
        return true
    }

    mutating func endBody() {
        body = nil
        if limit == .body { limit = nil }
        tellDelegate("end")
    }

    /// Half a body is no request.
    mutating func missingBody() -> Bool {
        guard hasEnded else { return false }
        isWanted = false
        tellDelegate("closed", isLast: true)
        abort()
        return false
    }

    mutating func brokenBody(_ reason: String, _ status: Int) -> Bool {
        isWanted = false
        tellDelegate("failed \(reason)", isLast: true)
        if isPending { refuse(status) } else { abort() }
        return false
    }

    /// Answers what is no request, and ends.
    mutating func refuse(_ status: Int) {
        if !isAnswering { request = (1, true, false) }
        isPending = true
        body = nil
        isLast = true
        mustLinger = true
        sendHead(status, .length(0))
        sendEnd()
    }

    // MARK: The response

    mutating func startBody(limit: Int?) {
        guard isOpen, request != nil, !isTunnel else { return }
        guard body != nil else { return tellDelegate("end") }
        bodyLimit = limit
        isWanted = true
        self.limit = .body
        if request?.expectsContinue == true, isPending, inbox.isEmpty { output += "HTTP/1.1 100 Continue\r\n\r\n" }
        process()
    }

    mutating func pause(_ paused: Bool) {
        guard isOpen, isTunnel || body != nil, isPaused != paused else { return }
        isPaused = paused
        if !isTunnel, isWanted {
            if !paused { limit = .body } else if limit == .body { limit = nil }
        }
        process()
    }

    mutating func sendInterim() {
        if isPending, isOpen, request?.minorVersion == 1 { output += "HTTP/1.1 103 Early Hints\r\n\r\n" }
    }

    mutating func sendHead(_ status: Int, _ framing: Framing) {
        guard isPending, isOpen, let request else { return }
        isPending = false
        self.status = status
        output += "HTTP/1.1 \(status) \(status == 101 ? "Switching Protocols" : Self.reasons[status] ?? "")\r\n"
        let isSwitching = status == 101
        if !isSwitching, body != nil || !request.keepsAlive || isDraining { isLast = true }
        self.framing = framing
        switch framing {
        case .length(let length): output += "content-length: \(length)\r\n"
        case .chunked where request.minorVersion == 1: output += "transfer-encoding: chunked\r\n"
        case .chunked:
            self.framing = .untilClose
            isLast = true
        case .untilClose: break
        }
        if !isSwitching, isLast {
            output += "connection: close\r\n"
        } else if !isSwitching, request.minorVersion == 0 {
            output += "connection: keep-alive\r\n"
        }
        output += "\r\n"
        if isFull { limit = .write }
    }

    static let reasons = [200: "OK", 400: "Bad Request", 408: "Request Timeout", 413: "Content Too Large"]

    mutating func sendBody(_ text: String) {
        guard isOpen, let framing, !text.isEmpty else { return }
        switch framing {
        case .length(let rest):
            guard text.utf8.count <= rest else { return abort() }
            self.framing = .length(rest - text.utf8.count)
            output += text
        case .chunked: output += "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n"
        case .untilClose: output += text
        }
    }

    mutating func sendEnd() {
        guard isOpen, let framing else { return }
        if case .length(let rest) = framing, rest > 0 { return abort() }
        if framing == .chunked { output += "0\r\n\r\n" }
        self.framing = nil
        hasDelegate = false
        report("finished \(status)")
        if isLast || hasEnded { return finish() }
        request = nil
        if inbox.isEmpty { limit = .idle }
        process()
    }

    mutating func abort() {
        guard isOpen else { return }
        guard let framing, framing != .untilClose else { return close() }
        mustLinger = mustLinger || body != nil
        body = nil
        self.framing = nil
        isLast = true
        tellDelegate("closed", isLast: true)
        report("finished \(status) aborted")
        finish()
    }

    mutating func upgrade() {
        guard isPending, isOpen else { return }
        sendHead(101, .untilClose)
        isTunnel = true
        body = nil
        isLast = true
        process()
        if isDraining { endTunnel() }
    }

    /// The tunnel carries no WebSocket, so it ends anywhere.
    mutating func endTunnel() {
        guard framing != nil else { return }
        mustLinger = true
        tellDelegate("closed", isLast: true)
        sendEnd()
    }

    mutating func endEarly() {
        guard isOpen else { return }
        if isTunnel { return endTunnel() }
        tellDelegate("closed", isLast: true)
        sendEnd()
    }

    mutating func closeAfterResponse() { isLast = true }

    // MARK: Ends

    mutating func drain() {
        isDraining = true
        guard isOpen, !isOutputClosed else { return }
        if request == nil, !isAnswering {
            if inbox.isEmpty, !isFinishing { close() }
        } else if isTunnel {
            endTunnel()
        } else {
            isLast = true
        }
    }

    mutating func finish() {
        guard !isFinishing else { return }
        isFinishing = true
        lingersAfterwards = !hasEnded && (mustLinger || body != nil || isTunnel || !inbox.isEmpty)
        limit = .write
        if !isStalled { written() }
    }

    mutating func written() {
        guard isOpen, isFinishing else { return }
        isFinishing = false
        guard lingersAfterwards, !hasEnded else { return close() }
        isOutputClosed = true
        inbox = []
        limit = .linger
    }

    mutating func close() {
        isOpen = false
        guard isAnswering else { return }
        isPending = false
        framing = nil
        tellDelegate("closed", isLast: true)
        report("finished \(status) aborted")
    }
}
