import Primitives

extension ConfigurationBuilder {
    func everywhere(_ object: ObjectValue) -> EverywhereConfiguration {
        var result = EverywhereConfiguration()
        result.requestHeaders = object["requestHeaders"]?.object.map(headerEdits)
        result.responseHeaders = object["responseHeaders"]?.object.map(headerEdits)
        result.webSocketOrigins = object["webSockets"]?.object.map { origins($0["origins"]).compactMap(\.origin) }
        result.csrf = choice(object["csrf"])
        result.cors = object["cors"]?.object.map(cors)
        return result
    }

    func routing(_ object: ObjectValue) -> RoutingConfiguration {
        var result = RoutingConfiguration()
        result.stripPrefix = object["stripPrefix"]?.text
        result.rewrite = object["rewrite"]?.text
        result.respond = object["respond"]?.object.map(respond)
        result.redirect = object["redirect"]?.object.map(redirect)
        result.idleTimeout = object["timeouts"]?.object?["idle"]?.milliseconds
        result.responseTimeout = object["timeouts"]?.object?["upstreamResponse"]?.milliseconds
        result.bodyBytes = bytes(object["limits"]?.object?["bodyBytes"])
        result.bodyRate = bytes(object["limits"]?.object?["bodyRate"])
        result.upgrades = object["upgrades"].map(texts)
        result.own = everywhere(object)
        return result
    }

    private func headerEdits(_ object: ObjectValue) -> HeaderEditsConfiguration {
        var result = HeaderEditsConfiguration()
        result.set = (object["set"]?.map ?? []).compactMap { entry in headerValue(entry.item).map { (name: entry.name, value: $0) } }
        result.remove = texts(object["remove"])
        return result
    }

    /// An unresolved value as it is written, so that `gateway trace` shows the header.
    func headerValue(_ item: Item) -> String? {
        item.unresolved == nil ? item.text : item.writtenText
    }

    private func respond(_ object: ObjectValue) -> RespondConfiguration {
        var result = RespondConfiguration()
        result.status = integer(object["status"]) ?? result.status
        result.body = object["body"]?.text ?? ""
        result.contentType = object["contentType"]?.text ?? result.contentType
        return result
    }

    private func redirect(_ object: ObjectValue) -> RedirectConfiguration {
        var result = RedirectConfiguration(to: object["to"]?.text ?? "")
        result.status = object["status"]?.text.flatMap { Int($0) } ?? result.status
        return result
    }

    private func cors(_ object: ObjectValue) -> CORSConfiguration {
        var result = CORSConfiguration()
        result.origins = origins(object["origins"]).compactMap { $0.text ?? $0.origin?.text }
        result.headers = object["headers"].map(texts)
        result.exposeHeaders = texts(object["exposeHeaders"])
        result.credentials = object["credentials"]?.boolean ?? true
        result.maxAge = object["maxAge"]?.milliseconds ?? result.maxAge
        return result
    }

    private func origins(_ item: Item?) -> [Item] { item?.list ?? [] }
}

extension Item {
    fileprivate var origin: Origin? {
        if case .origin(let origin) = scalar { origin } else { nil }
    }
}
