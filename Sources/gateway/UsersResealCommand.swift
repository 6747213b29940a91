import Accounts
import ArgumentParser
import Config
import SecondFactors

struct UsersResealCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reseal", abstract: "After a rotation of `accounts.keys`: seal the store's values with the first key.",
        discussion: """
            The store keeps the secrets of authenticator apps and the phone numbers of second factors sealed. Run this when every replica has \
            the new key in front, and remove the old key afterwards. The exit status is 1 if a value cannot be opened with any of the keys.
            """)

    @OptionGroup var options: UsersOptions

    func run() async throws {
        // Who adds another sealed column reseals it here.
        try await OpenAccounts.use(options, .existing) { opened in
            let factors = opened.factors
            var sealed = 0
            var unreadable = 0
            try await opened.eachPage { page in
                for record in page {
                    let uid = record.account.uid
                    let found = try await opened.attempt { () async throws(AccountError) in try await opened.service.factors(uid)?.factors }
                    let count = (found ?? []).count { $0.sealedSecret != nil }
                    guard count > 0 else { continue }
                    sealed += count
                    unreadable += try await opened.attempt { () async throws(AccountError) in try await factors.reseal(uid: uid) }
                }
            }
            Terminal.say("gateway: resealed \(Counted.values(sealed - unreadable))")
            if unreadable > 0 {
                throw Terminal.failure(
                    "\(Counted.values(unreadable)) cannot be opened with any key of `accounts.keys`",
                    help: "put the earlier key behind the others, and run this again")
            }
        }
    }
}
