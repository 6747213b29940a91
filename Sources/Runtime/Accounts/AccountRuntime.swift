import Accounts
import Config
import Endpoints
import Logging
import NIOConcurrencyHelpers
import Sessions
import Stores
import Telemetry
import TokenCrypto

/// The account store of a process and the threads that hash passwords. Outlives a reload while the store's place stays the same.
final class AccountRuntime: Sendable {
    /// The reason why a valid configuration of accounts cannot be served.
    struct Failure: Error { var reason: String }

    let location: AccountStoreLocation
    let store: SQLAccountStore
    let endings = EndingFollower()
    private let passwords = NIOLockedValueBox<PasswordPool?>(nil)

    private init(_ location: AccountStoreLocation) {
        self.location = location
        store = location.store()
    }

    /// The runtime of a configuration; nil without accounts. `earlier`: the one in use, which goes on if its store is the same.
    ///
    /// A schema that this program does not know is an error. A store that does not answer is not: sign-ins answer 503 until it does.
    static func opened(
        _ configuration: Configuration, continuing earlier: AccountRuntime?, _ log: EventLog
    ) async throws(Failure) -> AccountRuntime? {
        guard let accounts = configuration.accounts else { return nil }
        let runtime = earlier.flatMap { $0.location == accounts.store ? $0 : nil } ?? AccountRuntime(accounts.store)
        do throws(SQLError) {
            try await runtime.store.prepare()
        } catch {
            switch error {
            case .schema(let reason):
                if runtime !== earlier { await runtime.close() }
                throw Failure(reason: "accounts.store: \(reason)")
            case .unavailable(let reason), .constraint(let reason):
                log.write(
                    .error, "account-store-unavailable", "the account store cannot be opened; sign-ins return 503 until it can",
                    [("reason", .text(reason))])
            }
        }
        if accounts.password != nil { try runtime.startHashing() }
        if accounts.mail != nil {
            do throws(MailError) { try MailSender.checkLibrary() } catch { throw Failure(reason: "mail: \(error.reason)") }
        }
        return runtime
    }

    private func startHashing() throws(Failure) {
        // Starts and reloads come one after the other.
        guard passwords.withLockedValue({ $0 }) == nil else { return }
        do throws(PasswordHashingError) {
            let pool = PasswordPool(hasher: try PasswordHasher())
            passwords.withLockedValue { $0 = pool }
        } catch {
            throw Failure(reason: "password: \(error.reason)")
        }
    }

    /// Reads which functions the stored password hashes have. A store that does not answer is asked again later.
    func learnPasswordFunctions(_ service: AccountService) async {
        guard let pool = passwords.withLockedValue({ $0 }), let functions = try? await service.passwordFunctions() else { return }
        pool.know(Set(functions.compactMap(PasswordFunction.init(parsing:))))
    }

    /// nil without the provider `password`.
    var passwordWork: (any PasswordWork)? { passwords.withLockedValue { $0 }.map(PooledPasswords.init) }

    func close() async {
        await passwords.withLockedValue { $0 }?.close()
        await store.close()
    }
}

/// `PasswordPool` for the endpoints.
private struct PooledPasswords: PasswordWork {
    let pool: PasswordPool

    func hash(_ password: Password, for client: String) async throws(AccountError) -> PasswordHash {
        do throws(PasswordPool.Failure) {
            return PasswordHash(phc: try await pool.hash(password, for: client).phc)
        } catch {
            throw AccountError(error)
        }
    }

    func match(_ password: Password, _ hash: PasswordHash?, for client: String) async throws(AccountError) -> PasswordMatch? {
        // A hash that nobody can read opens nothing, and takes the time of one that can be read.
        let stored = hash.flatMap { try? HashedPassword(parsing: $0.phc) }
        do throws(PasswordPool.Failure) {
            switch try await pool.verify(password, against: stored, for: client) {
            case .wrong: return nil
            case .right(let renewed): return PasswordMatch(renewed: renewed.map { PasswordHash(phc: $0.phc) })
            }
        } catch {
            throw AccountError(error)
        }
    }
}

extension AccountError {
    /// Too much work waits: the client tries again in a moment.
    fileprivate init(_ failure: PasswordPool.Failure) {
        switch failure {
        case .busy: self.init(.tooManyRequests, reason: "too many passwords wait to be hashed", status: 503, retryAfter: 2_000)
        case .late:
            self.init(.tooManyRequests, reason: "the password was not hashed in time: too many wait", status: 503, retryAfter: 2_000)
        // Nobody gets it.
        case .abandoned: self.init(.tooManyRequests, reason: "the client has disconnected before its password was hashed")
        case .closed: self.init(.storeUnavailable, reason: "the gateway stops")
        case .hashing(let error): self.init(.storeUnavailable, reason: error.reason)
        }
    }
}
