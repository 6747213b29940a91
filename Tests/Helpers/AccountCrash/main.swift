// Signs new identities in, one after the other, and prints the number of each one after its answer: `AccountCrash FILE FIRST`.
// AccountCrashTests kills it.
import Accounts
import Glibc
import Stores

struct Proof: IdentityProof {
    let identity: ProviderIdentity
}

guard CommandLine.arguments.count == 3, let first = Int(CommandLine.arguments[2]) else { exit(2) }
let service = AccountService(store: SQLAccountStore(SQLiteDatabase(path: CommandLine.arguments[1])), policy: AccountPolicy())
for number in first... {
    let identity = ProviderIdentity(provider: "oidc.a", issuer: "https://a", subject: "\(number)", email: "\(number)@example.com")
    guard case .signedIn? = try? await service.signIn(proof: Proof(identity: identity), now: Int64(number)) else { exit(1) }
    // An answer leaves the process at once, as a response does.
    let line = Array("\(number)\n".utf8)
    guard write(1, line, line.count) == line.count else { exit(0) }
}
