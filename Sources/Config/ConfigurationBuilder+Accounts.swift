extension ConfigurationBuilder {
    /// The accounts, with the providers and the mail server that exist only with them.
    func accounts(_ root: ObjectValue) -> AccountsConfiguration? {
        guard let object = root["accounts"]?.object, let store = store(object["store"]) else { return nil }
        var result = AccountsConfiguration(store: store)
        result.keys = object["keys"]?.list?.compactMap { if case .key(let key) = $0.scalar { key } else { nil } } ?? []
        result.onePerEmail = object["onePerEmail"]?.boolean ?? result.onePerEmail
        result.linking = choice(object["linking"]) ?? result.linking
        result.signUp = choice(object["signUp"]) ?? result.signUp
        result.recentLogin = object["recentLogin"]?.milliseconds ?? result.recentLogin
        result.mergeHook = object["mergeHook"]?.object.flatMap(hook)
        let hooks = object["hooks"]?.object
        result.beforeCreate = hooks?["beforeCreate"]?.object.flatMap(hook)
        result.beforeSignIn = hooks?["beforeSignIn"]?.object.flatMap(hook)
        let providers = root["providers"]?.list?.compactMap(\.object) ?? []
        result.password = providers.first { $0.shape == .passwordProvider }.map(password)
        result.anonymous = providers.first { $0.shape == .anonymousProvider }.map(anonymous)
        result.secondFactor = root["secondFactor"]?.object.map(secondFactor)
        result.mail = root["mail"]?.object.flatMap(mail)
        return result
    }

    /// An unresolved URL counts as one of PostgreSQL: a file's path is no secret.
    private func store(_ item: Item?) -> AccountStoreLocation? {
        if item?.unresolved != nil { return .postgres(Secret("")) }
        guard let text = item?.text, !text.isEmpty else { return nil }
        guard text.hasPrefix(AccountStoreLocation.sqliteScheme) else { return .postgres(Secret(text)) }
        return .sqlite(path: resolving(String(text.dropFirst(AccountStoreLocation.sqliteScheme.count))))
    }

    private func hook(_ object: ObjectValue) -> HookConfiguration? {
        guard let url = object["url"]?.text, let secret = secret(object["secret"]) else { return nil }
        var result = HookConfiguration(url: url, secret: secret)
        result.timeout = object["timeout"]?.milliseconds ?? result.timeout
        return result
    }

    private func secondFactor(_ object: ObjectValue) -> SecondFactorConfiguration {
        var result = SecondFactorConfiguration()
        result.policy = choice(object["policy"]) ?? result.policy
        if let factors = object["factors"]?.list {
            result.factors = factors.compactMap { $0.text.flatMap(SecondFactorConfiguration.Factor.init) }
        }
        result.phone = object["phone"]?.object.flatMap(hook)
        if object["phone"]?.object?["timeout"] == nil { result.phone?.timeout = 5_000 }
        result.messagesPerDay = integer(object["phone"]?.object?["messagesPerDay"]) ?? result.messagesPerDay
        result.rememberBrowser = object["rememberBrowser"]?.milliseconds
        return result
    }

    private func password(_ object: ObjectValue) -> PasswordProviderConfiguration {
        var result = PasswordProviderConfiguration()
        result.displayName = object["displayName"]?.text
        result.enabled = object["enabled"]?.boolean ?? result.enabled
        result.signUp = object["signUp"]?.boolean ?? result.signUp
        result.minimumLength = integer(object["minimumLength"]) ?? result.minimumLength
        return result
    }

    private func anonymous(_ object: ObjectValue) -> AnonymousProviderConfiguration {
        var result = AnonymousProviderConfiguration()
        result.displayName = object["displayName"]?.text
        result.enabled = object["enabled"]?.boolean ?? result.enabled
        return result
    }

    private func mail(_ object: ObjectValue) -> MailConfiguration? {
        guard let url = secret(object["url"]), let from = object["from"]?.text else { return nil }
        return MailConfiguration(url: url, from: from)
    }
}
