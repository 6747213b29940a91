package import Access
import Config
package import HTTPWire
package import NIOCore
package import Sessions

/// The decision about a request. The proxy and `gateway trace` both call it.
///
/// It reads the head, the connection's facts (`RequestContext`) and the caller's credentials (`CallerKnowledge`). It uses no exchange,
/// channel, log, clock or randomness. `begin` finds the route and the credentials. If a session or token must be looked up first, the
/// outcome names the lookup, and the caller passes its result to `resume`. Each event loop has one decider per site. Its only state is
/// reused memory.
package final class RequestDecider {
    package let site: Site
    /// A copy for this event loop: requests hold routes, and threads that share one contend for its reference count.
    private let routes: RouteTable
    private let features: [RouteFeatures?]
    private let hasCrossOrigin: Bool
    /// The site's own origins, for routes without features.
    private let ownOrigins: RequestOrigin
    private let responseEdits: CommonResponseEdits
    private var scratch: [UInt8] = []
    private var inputs = LineBytes(capacity: 1024)

    package init(_ site: Site) {
        self.site = site
        routes = site.routes.copy()
        features = site.features
        hasCrossOrigin = site.features.contains { $0?.crossOrigin != nil }
        ownOrigins = RequestOrigin(publicURL: site.publicURL)
        responseEdits = CommonResponseEdits(cookies: site.cookieNames, hstsLine: site.hstsLine)
    }

    // MARK: 1. Route and credentials

    /// Returns the first outcome and stores the route in `context` for `resume`.
    ///
    /// `recognise`: the caller of a whole session cookie, if it is known at once. Otherwise the outcome asks to look it up. `now` is in Unix
    /// milliseconds.
    package func begin(
        _ head: RequestHead, _ context: RequestContext, now: Int64, recognise: (RawSpan) -> Caller?
    ) -> RequestOutcome {
        if let tls = context.connection.tls, !covers(head, tls) {
            return .answer(.refusal(status: 421, code: "proxy/misdirected-request", reason: "tls-name"), cookies: .none)
        }
        if hasCrossOrigin, !context.isQuestion, let answer = preflight(head) { return .answer(.preflight(answer), cookies: .none) }
        switch resolve(head) {
        case .matched(let match):
            context.match = match
            context.routeIndex = match.route.index
            let features = features[match.route.index]
            if let policy = features?.crossOrigin {
                // Pages of listed origins may read the gateway's own answers too, such as a 401.
                context.crossOriginLines = policy.lines(for: head.value(.origin, in: head.bytes.byteSpan))
            }
            if context.isAuditClosed, !match.route.policy.isPublic { return .answer(.auditUnavailable, cookies: .none) }
            return authenticate(head, context, match, now: now, recognise)
        case .own(let path):
            // The proxy has to send these requests here; an app must not get them unprotected.
            guard !context.isQuestion else {
                return .answer(.refusal(status: 403, code: "auth/access-denied", reason: "gateway-path"), cookies: .none)
            }
            return .endpoint(path: path)
        case .refused(let refusal):
            return .answer(.refusal(status: 400, code: "proxy/bad-request", reason: refusal.rawValue), cookies: .none)
        case .unknownHost:
            return .answer(.refusal(status: 421, code: "proxy/misdirected-request", reason: "unknown-host"), cookies: .none)
        }
    }

    /// Returns the next outcome on the route that `begin` found, once the credentials are known. `now` is in Unix milliseconds.
    package func resume(
        _ head: RequestHead, _ context: RequestContext, knowing knowledge: consuming CallerKnowledge, now: Int64
    ) -> RequestOutcome {
        guard let match = context.match else {
            return .answer(.refusal(status: 500, code: "proxy/internal-error", reason: "decision-without-route"), cookies: .none)
        }
        switch consume knowledge {
        case .caller(let caller): return refreshOrDecide(head, context, match, caller, now: now)
        case .refreshed(let caller, let isNew): return decide(head, context, match, caller, isNew ? .store : .none, now: now)
        case .nobody: return decideForNobody(head, context, match, .none, now: now)
        case .ended(let hadSession): return decideForNobody(head, context, match, .remove(hadSession: hadSession), now: now)
        case .unknown: return decideWithoutStore(head, context, match, now: now)
        case .tokenRefused(let problem, let provider): return .answer(.token(problem, provider: provider), cookies: .none)
        }
    }

    /// Returns whether the TLS handshake or its certificate covers the request's host (RFC 9110 section 7.4).
    private func covers(_ head: RequestHead, _ tls: TLSIdentity) -> Bool {
        tls.covers(authority: head.bytes.byteSpan.extracting(head.authorityRange))
    }

    /// Resolves the route. `field` names a header to read the method from; nil for the request's own method.
    @inline(__always)
    private func resolve(_ head: RequestHead, methodIn field: KnownField? = nil) -> RouteResolution {
        let bytes = head.bytes.byteSpan
        var method = bytes.extracting(head.methodRange)
        if let field, let named = head.value(field, in: bytes) { method = named }
        let host = bytes.extracting(head.authorityRange)
        if head.pathRange.isEmpty && !head.isAsteriskForm {
            // Absolute-form without a path is forwarded as `/` (RFC 9112 section 3.2.1).
            return routes.resolve(method: method, host: host, path: RequestPath.root, scratch: &scratch)
        }
        return routes.resolve(method: method, host: host, path: bytes.extracting(head.pathRange), scratch: &scratch)
    }

    /// Returns the answer to a CORS preflight from a listed origin; nil for any other request. No upstream receives it.
    ///
    /// The route is the one of the announced request. Its access rule applies to that request, not to the preflight.
    private func preflight(_ head: RequestHead) -> PreflightAnswer? {
        guard head.method == .options, head.has(.accessControlRequestMethod), head.has(.origin),
            case .matched(let match) = resolve(head, methodIn: .accessControlRequestMethod),
            let policy = features[match.route.index]?.crossOrigin
        else { return nil }
        guard let origin = head.value(.origin, in: head.bytes.byteSpan), let method = head.text(.accessControlRequestMethod),
            isPlainMethod(method)
        else { return nil }
        return policy.preflight(origin: origin, method: method, headers: head.value(named: "access-control-request-headers"))
    }

    /// Looks for credentials. If the route accepts bearer tokens and the request carries one, its session cookie is ignored.
    private func authenticate(
        _ head: RequestHead, _ context: RequestContext, _ match: RouteMatch, now: Int64,
        _ recognise: (RawSpan) -> Caller?
    ) -> RequestOutcome {
        if let bearer = match.route.bearer {
            switch BearerRequest(head, bearer) {
            case .none: break
            case .malformed(let problem): return .answer(.token(problem, provider: nil), cookies: .none)
            case .token(let token, let nonce): return .verifyToken(token, nonce: nonce, bearer)
            }
        }
        guard head.has(.cookie) else { return decideForNobody(head, context, match, .none, now: now) }
        switch sessionCredential(head, context, recognise) {
        case .none: return decideForNobody(head, context, match, .none, now: now)
        case .unknown(let credential): return .loadSession(credential)
        case .known(let caller): return refreshOrDecide(head, context, match, caller, now: now)
        }
    }

    private enum FoundCredential {
        case none
        case known(Caller)
        case unknown(SessionCredential)
    }

    private func sessionCredential(
        _ head: RequestHead, _ context: RequestContext, _ recognise: (RawSpan) -> Caller?
    ) -> FoundCredential {
        let bytes = head.bytes.byteSpan
        let found = head.sessionCookies(site.cookies, in: bytes)
        context.bringsOurCookiesOnly = found.areAllOurs
        switch found.value(in: bytes) {
        case .absent: return .none
        case .refused(let refusal): return .unknown(.refused(refusal))
        case .whole(let range):
            if let caller = recognise(bytes.extracting(range)) { return .known(caller) }
            return .unknown(.whole(range))
        case .joined(let joined): return .unknown(.joined(joined))
        }
    }

    // MARK: 2. The rule

    private func refreshOrDecide(
        _ head: RequestHead, _ context: RequestContext, _ match: RouteMatch, _ caller: Caller, now: Int64
    ) -> RequestOutcome {
        if now >= caller.times.refreshAt, site.limits.refreshesTokens,
            !match.route.policy.isPublic || features[match.route.index]?.requestLines?.usesAccessToken == true
        {
            return .refresh(caller)
        }
        return decide(head, context, match, caller, .none, now: now)
    }

    private func decide(
        _ head: RequestHead, _ context: RequestContext, _ match: RouteMatch, _ caller: Caller, _ cookies: CookieChange, now: Int64
    ) -> RequestOutcome {
        let isRemembered = match.route.policy.inputs?.write(head, context.connection, into: &inputs) ?? false
        if isRemembered, let permit = caller.permits.permit(for: match, inputs: inputs.bytes) {
            return pass(head, context, permit, caller, cookies, now: now)
        }
        let request = facts(head, context, match.route, now: now)
        let decision =
            match.route.policy.hasCondition
            ? caller.permits.decide(for: match, signedIn: caller.session, now: now, request: request, auth: caller.conditionAuth)
            : caller.permits.decide(for: match, signedIn: caller.session, now: now, request: request)
        switch decision {
        case .permit(let permit):
            if isRemembered { caller.permits.keep(permit, inputs: inputs.bytes) }
            return pass(head, context, permit, caller, cookies, now: now)
        case .challenge:
            context.verdict = .challenge
            return .answer(.challenge(hadSession: false, failures: []), cookies: cookies)
        case .deny(let denial):
            context.verdict = .deny
            return .answer(.denial(denial), cookies: cookies)
        }
    }

    private func pass(
        _ head: RequestHead, _ context: RequestContext, _ permit: consuming Permit, _ caller: Caller, _ cookies: CookieChange, now: Int64
    ) -> RequestOutcome {
        context.verdict = permit.route.policy.isPublic ? .public : .allow
        let isDue = cookies == .none && now >= caller.times.renewalAt
        return forward(head, context, permit, caller, isDue ? .renew : cookies)
    }

    /// Serves only what is open to users who are not signed in. The browser keeps its cookie.
    private func decideWithoutStore(
        _ head: RequestHead, _ context: RequestContext, _ match: RouteMatch, now: Int64
    ) -> RequestOutcome {
        let request = match.route.policy.admitsNobody ? facts(head, context, match.route, now: now) : nil
        guard case .permit(let permit) = Decision(forNobodyOn: match, now: now, request: request) else {
            return .answer(.storeUnavailable, cookies: .none)
        }
        context.verdict = .public
        return forward(head, context, permit, nil, .none)
    }

    private func decideForNobody(
        _ head: RequestHead, _ context: RequestContext, _ match: RouteMatch, _ cookies: CookieChange, now: Int64
    ) -> RequestOutcome {
        let request = match.route.policy.admitsNobody ? facts(head, context, match.route, now: now) : nil
        switch Decision(forNobodyOn: match, now: now, request: request) {
        case .permit(let permit):
            context.verdict = .public
            return forward(head, context, permit, nil, cookies)
        case .challenge(let challenge):
            context.verdict = .challenge
            return .answer(
                .challenge(hadSession: cookies == .remove(hadSession: true), failures: challenge.failures), cookies: cookies)
        case .deny(let denial):
            context.verdict = .deny
            return .answer(.denial(denial), cookies: cookies)
        }
    }

    /// The request as the route's rule reads it; nil for a rule that does not depend on the request.
    @inline(__always)
    private func facts(_ head: RequestHead, _ context: RequestContext, _ route: Route, now: Int64) -> RequestFacts? {
        guard route.policy.dependsOnRequest else { return nil }
        return RequestFacts(head, context, site, reads: route.policy.reads, now: now)
    }

    /// The conditions of the route's rule, each with its verdict.
    package func verdicts(
        on route: Route, for session: Session?, _ head: RequestHead, _ context: RequestContext, now: Int64
    ) -> [ConditionVerdict] {
        RuleExplanation.verdicts(
            of: site.rules[route.index], on: route.pattern, for: session, now: now,
            request: facts(head, context, route, now: now))
    }

    // MARK: 3. What is left to refuse, and the plan

    private func forward(
        _ head: RequestHead, _ context: RequestContext, _ permit: consuming Permit, _ caller: Caller?, _ cookies: CookieChange
    ) -> RequestOutcome {
        let route = permit.route
        let features = features[route.index]
        // What a condition admits nobody to is not for everybody: no shared cache may keep it.
        let isPrivate = caller != nil || !route.policy.isPublic
        if let features {
            if let refusal = refusal(of: head, features, caller) { return .answer(refusal, cookies: .none) }
            if let fixed = features.fixed, !context.isQuestion {
                return answer(fixed, head, route, features, isPrivate: isPrivate, cookies)
            }
        }
        if context.isQuestion { return letPass(head, permit, caller, cookies, features) }
        guard route.upstreamIndex >= 0 else {
            return .answer(.refusal(status: 502, code: "proxy/bad-gateway", reason: "route-without-upstream"), cookies: .none)
        }
        if head.has(.via) || head.method == .options, let answer = answerOnTheWay(head) { return .answer(answer, cookies: .none) }
        let bodyLimit = features?.bodyLimit ?? site.limits.bodyBytes
        if case .length(let length) = head.framing, let bodyLimit, length > bodyLimit {
            return .answer(
                .refusal(status: 413, code: "proxy/content-too-large", reason: WireError.bodyTooLarge.rawValue), cookies: .none)
        }
        let upgrade = head.has(.upgrade) ? head.upgrade(among: features?.upgrades ?? RouteFeatures.standardUpgrades) : nil
        if upgrade != nil, !(features?.webSocketOrigins ?? ownOrigins).mayUpgrade(head) {
            return .answer(
                .refusal(status: 403, code: "proxy/origin-not-allowed", reason: "websocket-origin"), cookies: .none)
        }
        var plan = ForwardPlan(
            permit: permit, caller: caller, cookies: cookies, features: features,
            response: responseEdits.edits(
                addedLines: nil, isPrivate: isPrivate, features, crossOriginLines: context.crossOriginLines), bodyLimit: bodyLimit)
        if let caller, caller.isBearer { plan.dropsAuthorization = route.bearer?.forward == false }
        plan.dropsCookies = context.bringsOurCookiesOnly
        if let upgrade { plan.upgrade = upgrade }
        return .forward(plan)
    }

    /// The plan of a request that another proxy forwards, once its origin is checked.
    private func letPass(
        _ head: RequestHead, _ permit: consuming Permit, _ caller: Caller?, _ cookies: CookieChange, _ features: RouteFeatures?
    ) -> RequestOutcome {
        if features?.fixed != nil {
            return .answer(.refusal(status: 403, code: "auth/access-denied", reason: "route-without-app"), cookies: .none)
        }
        // `Upgrade` ends at the proxy.
        if head.first(named: "sec-websocket-key") != nil, !(features?.webSocketOrigins ?? ownOrigins).mayUpgrade(head) {
            return .answer(.refusal(status: 403, code: "proxy/origin-not-allowed", reason: "websocket-origin"), cookies: .none)
        }
        let dropsAuthorization = caller?.isBearer == true && permit.route.bearer?.forward == false
        var plan = ForwardPlan(permit: permit, caller: caller, cookies: cookies, features: features, response: .none, bodyLimit: nil)
        plan.dropsAuthorization = dropsAuthorization
        return .forward(plan)
    }

    /// The response edits of a plan, with the gateway's `Set-Cookie` lines added.
    package func responseEdits(_ plan: borrowing ForwardPlan, adding lines: ByteBuffer, _ context: RequestContext) -> ResponseEdits {
        responseEdits.edits(
            addedLines: lines, isPrivate: plan.caller != nil || !plan.permit.route.policy.isPublic, plan.features,
            crossOriginLines: context.crossOriginLines)
    }

    /// The refusal of a request from another origin; nil if its origin is acceptable.
    private func refusal(of head: RequestHead, _ features: RouteFeatures, _ caller: Caller?) -> GatewayAnswer? {
        // The gateway answers all preflights on a route with `cors`; this one comes from an origin that is not listed.
        if features.crossOrigin != nil, head.method == .options, head.has(.accessControlRequestMethod) {
            return .refusal(status: 403, code: "proxy/origin-not-allowed", reason: "cors-origin")
        }
        // Only programs send `Authorization: Bearer`; a page of another site cannot make a browser send it.
        guard let origins = features.changeOrigins, caller?.isBearer == false, !head.method.isReadOnly, !origins.mayChange(head) else {
            return nil
        }
        return .crossSite
    }

    private func answer(
        _ fixed: RouteFeatures.Fixed, _ head: RequestHead, _ route: Route, _ features: RouteFeatures, isPrivate: Bool,
        _ cookies: CookieChange
    ) -> RequestOutcome {
        switch fixed {
        case .answer(let status, let body, let contentType):
            return .answer(
                .fixed(
                    FixedAnswer(
                        status: status, body: body, contentType: body.readableBytes > 0 ? contentType : "", location: nil,
                        features: features, isPrivate: isPrivate)), cookies: cookies)
        case .redirect(let status, let target):
            guard let location = target.location(for: head, route.pathStrictness) else {
                return .answer(.refusal(status: 400, code: "proxy/bad-request", reason: "redirect-path"), cookies: .none)
            }
            return .answer(
                .fixed(
                    FixedAnswer(
                        status: status, body: ByteBuffer(), contentType: "", location: location, features: features, isPrivate: isPrivate)),
                cookies: cookies)
        }
    }

    /// The answer to a request that loops (RFC 9110 section 7.6.3) or whose `Max-Forwards` is used up; nil for any other.
    private func answerOnTheWay(_ head: RequestHead) -> GatewayAnswer? {
        if head.has(.via),
            head.fields.contains(where: {
                $0.known == .via && head.text($0.valueStart, $0.valueLength).contains(RequestHeadWriter.pseudonym)
            })
        {
            return .refusal(status: 508, code: "proxy/loop-detected", reason: "via-loop")
        }
        guard head.method == .options, head.has(.maxForwards) else { return nil }
        guard let hops = head.text(.maxForwards).flatMap({ MaxForwards($0) }) else {
            return .refusal(status: 400, code: "proxy/bad-request", reason: "max-forwards-invalid")
        }
        return hops.count == 0 ? .lastRecipient : nil
    }
}

/// Upper-case letters and `-`, as methods that are in use are.
private func isPlainMethod(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count) && text.utf8.allSatisfy { ($0 >= 0x41 && $0 <= 0x5A) || $0 == 0x2D }
}
