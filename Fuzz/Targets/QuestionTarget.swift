import Decisions
import ExtAuthz
import HTTPWire
import NIOCore
import Primitives

/// A question of another proxy is a request head; an accepted one describes a single request, whose path every program reads alike.
enum QuestionTarget {
    private static let trusted = CIDRSet(["10.0.0.0/8"]) ?? CIDRSet()

    static func check(_ input: [UInt8]) throws(Broken) {
        // The flag of a gRPC message begins no HTTP request.
        if input.first == 0 {
            guard let question = try? CheckQuestion.read(input) else { return }
            return try checkRequest(question.head)
        }
        var buffer = ByteBuffer(bytes: input)
        var parser = RequestHeadParser(limits: HeadLimits())
        guard let asked = try? parser.parse(&buffer), let question = try? Question(asked, trusted: trusted) else { return }
        let head = question.head
        try hold(asked.head(names: head.methodText), "the method comes from nowhere")
        try hold(asked.head(names: head.authorityText), "the host comes from nowhere")
        try hold(asked.head(names: head.text(head.pathRange.lowerBound..<head.queryRange.upperBound)), "the path comes from nowhere")
        try checkRequest(head)
    }

    private static func checkRequest(_ head: RequestHead) throws(Broken) {
        try hold(head.pathText.hasPrefix("/") && !head.isAsteriskForm, "the request has no path")
        let path = RequestPath.findings(of: Array(head.pathText.utf8).span.bytes)
        try hold(path.refusal(under: .strict) == nil, "two programs read the path in two ways")
        try hold(head.framing == .none && !head.has(.contentLength) && !head.has(.transferEncoding), "the request has a body")
        try hold(head.fields.filter { $0.known == .host }.count == 1, "the request has not one host")
        let bytes = head.bytes.byteSpan
        for field in head.fields {
            try hold(
                !field.name(in: bytes).beginsIgnoringCase(with: "x-forwarded-") && !field.known.isHopByHop,
                "a field about the question is one of the request")
        }
        // Read again as a question of Envoy, the request is the same.
        var again = ByteBuffer(
            string: "\(head.methodText) /envoy\(head.text(head.pathRange.lowerBound..<head.queryRange.upperBound)) HTTP/1.1\r\n")
        again.writeString("host: \(head.authorityText)\r\n\r\n")
        var parser = RequestHeadParser(limits: HeadLimits(bytes: 64 * 1024))
        guard let repeated = try? parser.parse(&again), let other = try? Question(repeated, trusted: trusted) else {
            throw Broken("the same request is refused")
        }
        try hold(
            other.head.pathText == head.pathText && other.head.queryText == head.queryText
                && other.head.authorityText == head.authorityText,
            "the same request is another one")
    }
}

extension RequestHead {
    /// Whether the text is part of the head.
    fileprivate func head(names text: String) -> Bool { String(buffer: bytes).contains(text) }
}
