import Config
import Diagnostics

/// A place in the configuration that lists providers whose tokens are accepted.
struct BearerUse {
    /// `bearer` or `exchange`.
    let object: ObjectValue
    let isExchange: Bool

    /// Every entry of the list, with its text.
    var names: [(text: String, item: Item)] {
        (object["providers"]?.list ?? []).compactMap { item in item.text.map { ($0, item) } }
    }

    static func all(_ context: LintContext) -> [BearerUse] {
        let bearers = [context.root["bearer"]] + context.routes.map { $0.object["bearer"] }
        let exchange = context.session?["exchange"]?.object.map { [BearerUse(object: $0, isExchange: true)] } ?? []
        return bearers.compactMap { $0?.object }.map { BearerUse(object: $0, isExchange: false) } + exchange
    }
}

extension LintContext {
    /// The first enabled provider whose tokens are always bound to the gateway's key.
    var bindingProvider: Provider? { providers.first { $0.configuration.enabled && $0.configuration.dpop == .required } }

    /// Every value template of a request header, with the name of the header.
    var requestTemplates: [(name: String, item: Item)] {
        let maps =
            [root["identity"]?.object?["headers"]?.map, root["requestHeaders"]?.object?["set"]?.map]
            + routes.map { $0.object["requestHeaders"]?.object?["set"]?.map }
        return maps.compactMap(\.self).flatMap { entries in entries.map { ($0.name, $0.item) } }
    }

    /// The token in a template, `accessToken` or `idToken`; nil without a token, or if the template is invalid.
    static func token(in item: Item) -> String? {
        guard let text = item.text, text.contains("{{"), HeaderTemplateCheck.problem(in: text, hasAccounts: true) == nil else { return nil }
        let names = text.split(whereSeparator: { !$0.isLetter }).map(String.init)
        return ["accessToken", "idToken"].first(where: names.contains)
    }
}
