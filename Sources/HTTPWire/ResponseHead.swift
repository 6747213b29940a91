package import NIOCore

/// A response head from an upstream, parsed as strictly as a request head.
package struct ResponseHead: Sendable {
    package internal(set) var bytes = ByteBuffer()
    package internal(set) var status = 0
    package internal(set) var reasonRange = 0..<0
    package internal(set) var minorVersion: UInt8 = 1
    package internal(set) var fields = FieldList()
    package internal(set) var framing = BodyFraming.none
    /// `Content-Length` as sent, even if no body follows (HEAD, 304).
    package internal(set) var declaredLength: Int?
    /// True if the upstream's connection can be reused after this response.
    package internal(set) var keepsAlive = true
    /// `Connection` lists an option besides a lone `keep-alive`: field lines may end at this hop (RFC 9110 section 7.6.1).
    package internal(set) var hasConnectionOptions = false
    package internal(set) var present: UInt64 = 0

    package init() {}

    /// Resets everything except `bytes` and `fields`. In place, because a new value would count references to both.
    fileprivate mutating func reset() {
        status = 0
        reasonRange = 0..<0
        minorVersion = 1
        framing = .none
        declaredLength = nil
        keepsAlive = true
        hasConnectionOptions = false
        present = 0
    }

    @inline(__always)
    package func has(_ field: KnownField) -> Bool { present & field.bit != 0 }

    /// The phrase behind the status; nil without one. `bytes` are those of the head.
    @_lifetime(copy bytes)
    package func reason(in bytes: RawSpan) -> RawSpan? { reasonRange.isEmpty ? nil : bytes.extracting(reasonRange) }

    package var isInterim: Bool { status < 200 }

    /// Releases the read buffer and returns the list of fields to the parser. The ranges are invalid afterwards.
    package mutating func recycle(into parser: inout ResponseHeadParser) {
        parser.takeBack(&bytes, &fields)
    }
}

package struct ResponseHeadParser {
    private enum State { case start, fields }

    private var state = State.start
    private var scanner: HeadScanner
    private var head = ResponseHead()
    private var emptied = EmptiedBuffer()
    private let classes = ByteClassTable.shared

    package init(limits: HeadLimits) {
        scanner = HeadScanner(limits: limits)
    }

    /// `method` is the request's, which decides whether a body follows (RFC 9112 section 6.3).
    package mutating func parse(_ buffer: inout ByteBuffer, method: Method) throws(WireError) -> ResponseHead? {
        var complete = ResponseHead()
        return try parse(&buffer, method: method, into: &complete) ? complete : nil
    }

    /// Parses without a copy: returns true once `complete` contains the next head.
    package mutating func parse(
        _ buffer: inout ByteBuffer, method: Method, into complete: inout ResponseHead
    ) throws(WireError) -> Bool {
        let length = try withBytes(of: buffer) { (bytes, count) throws(WireError) in try self.parse(bytes, count, method) }
        guard let length, var slice = buffer.readSlice(length: length) else { return false }
        swap(&complete, &head)
        head.reset()
        swap(&complete.bytes, &slice)
        emptied.keep(consume slice)
        complete.fields = scanner.takeFields()
        scanner.reset()
        state = .start
        return true
    }

    /// Takes back the memory of a list for the next head.
    fileprivate mutating func takeBack(_ bytes: inout ByteBuffer, _ fields: inout FieldList) {
        emptied.exchange(&bytes)
        scanner.takeBack(&fields)
    }

    private mutating func parse(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ method: Method) throws(WireError) -> Int? {
        if state == .start {
            guard let line = try scanner.line(bytes, count, tooLong: .headTooLarge) else { return nil }
            try readStatusLine(bytes, line)
            state = .fields
        }
        guard try scanner.readFields(bytes, count) else { return nil }
        try interpretFields(bytes, method)
        return scanner.position
    }

    /// Parses `HTTP-version SP status-code SP [ reason-phrase ]` (RFC 9112 section 4). The SP before an absent reason may be missing.
    private mutating func readStatusLine(_ bytes: UnsafePointer<UInt8>, _ line: Range<Int>) throws(WireError) {
        guard line.count >= 12 else { throw .statusLineMalformed }
        let start = bytes + line.lowerBound
        let prefix: StaticString = "HTTP/1."
        for index in 0..<7 where start[index] != prefix.utf8Start[index] { throw .statusLineMalformed }
        guard start[7] == 0x30 || start[7] == 0x31, start[8] == 0x20 else { throw .statusLineMalformed }
        head.minorVersion = start[7] - 0x30
        var status = 0
        for index in 9..<12 {
            guard classes.contains(start[index], .digit) else { throw .statusLineMalformed }
            status = status * 10 + Int(start[index] - 0x30)
        }
        guard status >= 100, status < 600 else { throw .statusLineMalformed }
        head.status = status
        if line.count > 12 {
            guard start[12] == 0x20 else { throw .statusLineMalformed }
            let reason = (line.lowerBound + 13)..<line.upperBound
            guard classes.prefixEnd(bytes, from: reason.lowerBound, to: reason.upperBound, .fieldValue) == reason.upperBound else {
                throw .statusLineMalformed
            }
            head.reasonRange = reason
        }
    }

    private mutating func interpretFields(_ bytes: UnsafePointer<UInt8>, _ method: Method) throws(WireError) {
        var present: UInt64 = 0
        for field in scanner.fields { present |= field.known.bit }
        head.present = present
        let framing = try FramingFields(scanner.fields, present: present, bytes, classes: classes)
        if framing.hasTransferEncoding && head.minorVersion == 0 { throw .transferEncodingInOldVersion }
        head.declaredLength = framing.contentLength
        head.hasConnectionOptions = framing.hasConnectionOptions
        head.keepsAlive = head.minorVersion == 1 ? !framing.closes : framing.keepsAlive && !framing.closes
        if head.status < 200 {
            // An interim response has no body and must not declare one (RFC 9110 section 15.2; RFC 9112 section 6.1), because the bytes
            // after it would be ambiguous.
            if framing.hasTransferEncoding { throw .transferEncodingInvalid }
            if let length = framing.contentLength, length > 0 { throw .contentLengthInvalid }
            head.framing = .none
        } else if head.status == 204 {
            // The response ends with its head (RFC 9112 section 6.3). If it announces a body, the connection is closed after it, so
            // that the bytes of that body are never read.
            head.framing = .none
            if framing.hasTransferEncoding || framing.contentLength ?? 0 > 0 { head.keepsAlive = false }
        } else if method == .head || head.status == 304 {
            head.framing = .none
        } else if framing.isChunked {
            head.framing = .chunked
        } else if let length = framing.contentLength {
            head.framing = length == 0 ? .none : .length(length)
        } else {
            head.framing = .untilClose
            head.keepsAlive = false
        }
    }
}
