import Access
import Decisions
import Exchanges
import HTTPWire
import Logging
import NIOCore
import Proxy
import Server
import Sessions

/// The parts of a request that only routes with features need.
extension RequestPhases {
    // MARK: Pages of other origins

    /// True for a preflight of a listed origin: it is answered here, and no upstream sees it.
    ///
    /// The route is that of the request which the preflight announces. It says whether the page may ask; who may pass is asked of the
    /// request itself.
    func answerPreflight(_ exchange: Exchange) -> Bool {
        let head = exchange.head
        guard head.method == .options, head.has(.accessControlRequestMethod), head.has(.origin),
            case .matched(let match) = resolve(head, methodIn: .accessControlRequestMethod),
            let policy = snapshot.features[match.route.index]?.crossOrigin
        else { return false }
        let answer = withBytes(of: head.bytes) { bytes, _ -> PreflightAnswer? in
            guard let origin = head.value(.origin, bytes), let method = head.text(.accessControlRequestMethod), Self.isMethod(method) else {
                return nil
            }
            let name: StaticString = "access-control-request-headers"
            let asked = head.fields.first {
                $0.known == .other && equalsIgnoringASCIICase(bytes + Int($0.nameStart), Int($0.nameLength), name)
            }
            return policy.preflight(origin: origin, method: method, headers: asked.map { head.text($0.valueStart, $0.valueLength) })
        }
        guard let answer else { return false }
        Answer(status: 204, headers: answer.headers, lines: answer.lines).send(on: exchange)
        return true
    }

    /// Upper-case letters and `-`, as methods that are in use are.
    private static func isMethod(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count) && text.utf8.allSatisfy { ($0 >= 0x41 && $0 <= 0x5A) || $0 == 0x2D }
    }

    /// From here on, whatever the gateway answers can be read by the pages that may.
    func prepare(_ exchange: Exchange, _ connection: ConnectionState, _ features: RouteFeatures) {
        exchange.idleLimit = features.idleTimeout
        exchange.bodyRate = features.bodyRate
        guard let policy = features.crossOrigin else { return }
        connection.request.crossOriginLines = withBytes(of: exchange.head.bytes) { bytes, _ in
            policy.lines(for: exchange.head.value(.origin, bytes))
        }
    }

    // MARK: Before the upstream

    /// False when the request was answered because another site's page made it.
    func admits(
        _ exchange: Exchange, _ connection: ConnectionState, _ permit: Permit, _ features: RouteFeatures, _ opened: OpenedSession?
    ) -> Bool {
        // A preflight that no route's `cors` answers: the gateway speaks of CORS here, and has nothing to permit.
        if features.crossOrigin != nil, exchange.head.method == .options, exchange.head.has(.accessControlRequestMethod) {
            refuse(exchange, connection, status: 403, code: "proxy/origin-not-allowed", reason: "cors-origin")
            return false
        }
        // A token in `Authorization` is put there by a program: no page of another site makes a browser send one.
        guard let origins = features.changeOrigins, opened?.isBearer == false, !exchange.head.method.isReadOnly,
            !origins.mayChange(exchange.head)
        else {
            return true
        }
        core.log.write(
            .notice, "cross-site-request", "request with a session refused: its origin is another site",
            [
                ("reason", .text("csrf-origin")), ("code", .text("auth/cross-site-request")), ("route", .text(permit.route.label)),
                ("uid", .text(opened?.session.uid ?? "")), ("request_id", .text(connection.requestID.text)),
            ])
        endpoints.answers.refusal(
            status: 403, code: "auth/cross-site-request", isPage: endpoints.answers.wantsPage(exchange.head),
            requestID: connection.requestID
        ).send(on: exchange)
        return false
    }

    /// An answer that needs no upstream. `added`: cookies of ours.
    func answer(
        _ exchange: Exchange, _ connection: ConnectionState, _ permit: Permit, _ fixed: RouteFeatures.Fixed, _ features: RouteFeatures?,
        isPrivate: Bool, added: ByteBuffer?
    ) {
        let mustBePrivate = isPrivate || added != nil
        var lines = features?.responseEdits?.ownLines(isPrivate: mustBePrivate) ?? ByteBuffer()
        if features?.responseEdits == nil, mustBePrivate { lines.writeStaticString("cache-control: no-store\r\n") }
        if let hsts = snapshot.hstsLine, features?.responseEdits?.ownsTransportSecurity != true { lines.writeImmutableBuffer(hsts) }
        if let added { lines.writeImmutableBuffer(added) }
        if let own = connection.request.crossOriginLines { lines.writeImmutableBuffer(own) }
        switch fixed {
        case .answer(let status, let body, let contentType):
            exchange.respond(status: status, body: body) { output in
                if body.readableBytes > 0 { output.put(text: "content-type: \(contentType)\r\n") }
                output.put(lines)
            }
        case .redirect(let status, let target):
            guard let location = target.location(for: exchange.head, permit.route.pathStrictness) else {
                return refuse(exchange, connection, status: 400, code: "proxy/bad-request", reason: "redirect-path")
            }
            exchange.respond(status: status, body: ByteBuffer()) { output in
                output.put("location: ")
                output.put(location)
                output.put("\r\n")
                output.put(lines)
            }
        }
    }

    /// Adds the route's changes to the request and its response.
    func add(
        _ features: RouteFeatures, _ opened: OpenedSession?, _ route: Route, _ connection: ConnectionState, _ exchange: Exchange,
        to surroundings: inout RequestSurroundings
    ) {
        surroundings.edits = features.requestEdits
        surroundings.responseTimeout = features.responseTimeout
        surroundings.idleTimeout = features.idleTimeout
        guard features.requestEdits != nil else { return }
        surroundings.identityLines =
            opened.map { opened in
                opened.lines(on: route.index, features) { logOmission($0, opened, connection, route: route) }
            } ?? features.visitorLines
    }
}

extension HTTPWire.Method {
    /// Meant to change nothing (RFC 9110 section 9.2.1).
    var isReadOnly: Bool {
        switch self {
        case .get, .head, .options: true
        default: false
        }
    }
}
