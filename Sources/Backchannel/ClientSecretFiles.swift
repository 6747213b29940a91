import Providers

/// Client secret and private key as their files hold them now, so that a rotated one is used at the next request.
package struct ClientSecretFiles: Sendable {
    /// nil where the value is not one file's contents; nil from it, or an empty text: the file cannot be read at the moment.
    private let secret: (@Sendable () -> String?)?
    private let privateKey: (@Sendable () -> String?)?

    package init(secret: (@Sendable () -> String?)? = nil, privateKey: (@Sendable () -> String?)? = nil) {
        self.secret = secret
        self.privateKey = privateKey
    }

    /// The settings with what the files hold; nil when that is what the settings have.
    func renewed(_ settings: ProviderSettings) -> ProviderSettings? {
        var renewed = settings
        if let text = self.secret?(), !text.isEmpty { renewed.clientSecret = .init(text) }
        if let text = self.privateKey?(), !text.isEmpty { renewed.privateKey = .init(text) }
        return renewed.clientSecret == settings.clientSecret && renewed.privateKey == settings.privateKey ? nil : renewed
    }
}
