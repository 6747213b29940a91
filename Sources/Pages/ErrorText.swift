/// The text that users read about an error, by its published code.
package struct ErrorText: Sendable, Equatable {
    /// The button that the page offers.
    package enum Remedy: Sendable, Equatable { case signInAgain, otherAccount, account, tryAgain, home, none }

    package var code: String
    package var status: Int
    package var title: String
    package var happened: String
    package var next: String
    package var remedy: Remedy
    /// Further facts, one line each; never from the request.
    package var details: [String] = []
    /// A time in the provider's response that this site's clock contradicts.
    package var clock: ClockNotice?

    package init(code: String, status: Int, title: String, happened: String, next: String, remedy: Remedy) {
        self.code = code
        self.status = status
        self.title = title
        self.happened = happened
        self.next = next
        self.remedy = remedy
    }

    /// One sentence for the JSON body.
    package var message: String { happened }

    /// The catalogue's entry; for a code that it lacks, the general text of the status (500 when nil).
    package static func of(code: String, status: Int? = nil) -> ErrorText {
        if let known = byCode[code] { return known }
        var general = proxy(status: status ?? 500)
        general.code = code
        return general
    }

    /// The text for a refusal or failure of the proxy itself.
    package static func proxy(status: Int) -> ErrorText {
        if let known = proxyCatalogue.first(where: { $0.status == status }) { return known }
        let fallback: ErrorText =
            switch status {
            case 400..<500: badRequest
            case 502...504: badGateway
            default: internalError
            }
        var text = fallback
        text.status = status
        return text
    }

    /// Every entry, in the order of the documentation.
    package static let catalogue: [ErrorText] = signInCatalogue + accountCatalogue + secondFactorCatalogue + proxyCatalogue

    private static let byCode = Dictionary(catalogue.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
}
