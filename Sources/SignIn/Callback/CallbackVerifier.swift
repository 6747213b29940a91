import Primitives

package import Providers
import Sessions

/// An authorization response that answers a sign-in of this browser, with its code. Made only by `CallbackVerifier`.
package struct VerifiedState: Sendable {
    package let transaction: LoginTransaction
    package let code: String

    fileprivate init(transaction: LoginTransaction, code: String) {
        self.transaction = transaction
        self.code = code
    }
}

/// Decides whether a callback belongs to the sign-in it claims (RFC 6749 section 4.1.2, RFC 9207, RFC 9700 section 4.7).
package struct CallbackVerifier: Sendable {
    private let settings: ProviderSettings
    private let issuerIsMandatory: Bool
    private let transactions: LoginTransactions

    /// `issuerIsMandatory`: the metadata says `authorization_response_iss_parameter_supported` (RFC 9207 section 3).
    package init(settings: ProviderSettings, issuerIsMandatory: Bool, transactions: LoginTransactions) {
        self.settings = settings
        self.issuerIsMandatory = issuerIsMandatory
        self.transactions = transactions
    }

    /// `cookies`: what the browser sent, duplicates included. Consumes the sign-in whether it brought a code or an error.
    package func verify(
        _ parameters: UnverifiedCallback, cookies: [(name: String, value: String)], now: Int64
    ) async throws(SignInError) -> VerifiedState {
        let transaction = try await self.transaction(for: parameters, cookies: cookies, now: now)
        do throws(SignInError) {
            try self.checkIssuer(parameters.issuer, of: transaction)
            guard try await self.consume(transaction, now: now) else { throw self.restart("the sign-in was finished before") }
            // Both code and error: the error counts (RFC 6749 section 4.1.2.1).
            if let error = parameters.error { throw self.providerError(error) }
            guard let code = parameters.code else {
                throw SignInError(.invalidRequest, provider: self.settings.id, "the callback has neither code nor error")
            }
            return VerifiedState(transaction: transaction, code: code)
        } catch {
            throw error.returning(to: transaction.returnPath)
        }
    }

    private func transaction(
        for parameters: UnverifiedCallback, cookies: [(name: String, value: String)], now: Int64
    ) async throws(SignInError) -> LoginTransaction {
        guard let state = parameters.state else { throw self.invalidState("the callback has no state") }
        switch try await self.lookup(state, cookies: cookies, now: now) {
        case .unknown: throw self.invalidState("no sign-in of this browser has the callback's state")
        case .finished: throw self.restart("the sign-in was finished before")
        case .expired: throw self.restart("the sign-in took longer than ten minutes")
        case .found(let transaction, let isConsumed):
            guard constantTimeEqualStates(transaction.state, state) else {
                throw self.invalidState("the callback's state differs from the sign-in's")
            }
            guard sameBytes(transaction.provider, self.settings.id), sameBytes(transaction.redirectURI, self.settings.redirectURI) else {
                throw self.invalidState("the sign-in was started with another provider")
            }
            if isConsumed { throw self.restart("the sign-in was finished before").returning(to: transaction.returnPath) }
            if transaction.isExpired(now: now) {
                throw self.restart("the sign-in took longer than ten minutes").returning(to: transaction.returnPath)
            }
            return transaction
        }
    }

    private func lookup(
        _ state: String, cookies: [(name: String, value: String)], now: Int64
    ) async throws(SignInError) -> TransactionLookup {
        do throws(SessionStoreError) {
            return try await self.transactions.lookup(state: state, cookies: cookies, now: now)
        } catch {
            throw self.storeUnavailable
        }
    }

    private func consume(_ transaction: LoginTransaction, now: Int64) async throws(SignInError) -> Bool {
        do throws(SessionStoreError) {
            return try await self.transactions.consume(transaction, now: now)
        } catch {
            throw self.storeUnavailable
        }
    }

    private var storeUnavailable: SignInError {
        SignInError(.storeUnavailable, provider: self.settings.id, "the session store does not say whether the sign-in was used before")
    }

    /// RFC 9207 section 2.4: compared as plain text, on error responses too.
    private func checkIssuer(_ issuer: String?, of transaction: LoginTransaction) throws(SignInError) {
        guard let issuer else {
            if self.issuerIsMandatory {
                throw SignInError(
                    .invalidIssuer, provider: self.settings.id, "the callback has no iss, although the provider announces it")
            }
            return
        }
        var expected = self.settings.responseIssuers
        if let issuer = transaction.issuer { expected.append(issuer) }
        // An OAuth 2.0 provider that names itself nowhere: its own redirect URI tells the answers apart (RFC 9700 section 4.4.2.2).
        guard !expected.isEmpty else { return }
        guard expected.contains(where: { sameBytes($0, issuer) }) || self.settings.tenantIssuers?.admitsMetadata(issuer) ?? false
        else {
            throw SignInError(.invalidIssuer, provider: self.settings.id, "the callback's iss is not the provider's issuer")
        }
    }

    private func providerError(_ error: String) -> SignInError {
        let code: SignInError.Code
        switch error {
        case "access_denied", "user_cancelled_login", "user_cancelled_authorize", "consent_required", "account_selection_required":
            code = .accessDenied
        case "login_required", "interaction_required": code = .interactionRequired
        // OpenID Connect Core Unmet Authentication Requirements 1.0 section 3.
        case "unmet_authentication_requirements": code = .insufficientAuthentication
        case "temporarily_unavailable": code = .providerUnavailable
        default: code = .providerError
        }
        return SignInError(
            code, provider: self.settings.id, "the provider returned an error to the callback", providerCode: error)
    }

    private func invalidState(_ reason: String) -> SignInError { SignInError(.invalidState, provider: self.settings.id, reason) }

    private func restart(_ reason: String) -> SignInError {
        var error = SignInError(.loginExpired, provider: self.settings.id, reason)
        error.restartsLogin = true
        return error
    }
}
