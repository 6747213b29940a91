import Accounts
import ArgumentParser
import Diagnostics
import Glibc
import SecondFactors

/// Takes the accounts of an import, stores them some at a time, and reports the others with their lines.
struct AccountImport {
    private static let batchSize = 100
    /// Further problems are only counted.
    private static let mostReports = 1_000

    /// Parts of imported users that no account can hold.
    private(set) var leftOut = FirebaseImport.LeftOut()
    /// Nil for a check without the store.
    private let opened: OpenAccounts?
    private let isSilent: Bool
    private var batch: [(line: Int, user: FirebaseImport.User)] = []
    private var imported = 0
    private var refused = 0

    init(_ opened: OpenAccounts?, isSilent: Bool = false) {
        self.opened = opened
        self.isSilent = isSilent
    }

    /// `limit`: the size that a piece without bytes exceeds.
    mutating func take(
        _ piece: ImportPiece, limit: Int, _ parse: ([UInt8]) throws(ImportProblem) -> FirebaseImport.User
    ) async throws {
        guard let bytes = piece.bytes else { return report(piece.line, "it is longer than \(limit >> 10) KiB") }
        do throws(ImportProblem) {
            batch.append((piece.line, try parse(bytes)))
        } catch {
            return report(piece.line, error.reason)
        }
        if batch.count == Self.batchSize { try await flush() }
    }

    private mutating func report(_ line: Int, _ reason: String) {
        refused += 1
        guard !isSilent, refused <= Self.mostReports else { return }
        Terminal.say("line \(line): not imported: \(sanitized(reason))")
        if refused == Self.mostReports { Terminal.say("further lines that are not imported are only counted") }
    }

    /// Stores what was taken.
    mutating func flush() async throws {
        let batch = batch
        self.batch = []
        guard let opened else {
            for item in batch { leftOut.add(item.user.leftOut) }
            imported += batch.count
            return
        }
        let results: [Result<CreationResult, AccountError>]
        do throws(AccountError) {
            let factors = opened.factors
            results = try await opened.service.import(batch.map(\.user.record)) { document, uid throws(AccountError) in
                try factors.imported(document, uid: uid)
            }
        } catch {
            summarize()
            throw OpenAccounts.failure(error)
        }
        for ((line, user), result) in zip(batch, results) {
            switch result {
            case .success(.created(let account)):
                imported += 1
                leftOut.add(user.leftOut)
                opened.audit.record("account-created", "an operator imported the account", uid: account.uid)
            case .success(.taken(let what)): report(line, Self.text(what, user.record))
            case .failure(let error): report(line, error.reason ?? error.code.rawValue)
            }
        }
    }

    private static func text(_ taken: AccountStoreError.Taken, _ record: AccountRecord) -> String {
        switch taken {
        case .uid: "an account has the uid \(record.account.uid) already"
        case .address: "another account has the e-mail address of \(record.account.uid)"
        case .identity: "another account has an identity of \(record.account.uid)"
        case .factor: "another account has a second factor of \(record.account.uid)"
        }
    }

    /// Stores the rest and prints the summary. Throws if anything was not imported.
    mutating func finish() async throws {
        try await flush()
        summarize()
        if refused > 0 { throw ExitCode(1) }
    }

    private func summarize() {
        guard !isSilent else { return }
        let done = opened == nil ? "would import \(Counted.accounts(imported))" : "imported \(Counted.accounts(imported))"
        Terminal.say("gateway: \(done)" + (refused > 0 ? "; \(refused) were not imported" : ""))
        for line in leftOutLines { Terminal.say("  left out: \(line)") }
        if leftOut.withoutSignIn > 0 {
            Terminal.say("  without any way to sign in: \(Counted.users(leftOut.withoutSignIn))")
        }
    }

    private var leftOutLines: [String] {
        var lines: [String] = []
        func add(_ count: Int, _ text: String) { if count > 0 { lines.append("\(text) of \(Counted.users(count))") } }
        for (id, count) in leftOut.unknownProviders.sorted(by: { $0.key < $1.key }) {
            add(count, "\(id), which the configuration does not have, as an identity")
        }
        for (id, count) in leftOut.tenantProviders.sorted(by: { $0.key < $1.key }) {
            add(count, "\(id), whose issuer depends on the user's tenant, as an identity")
        }
        add(leftOut.furtherIdentities, "a second identity of one provider")
        add(leftOut.phoneNumbers, "the phone number")
        add(leftOut.secondFactors, "a second factor whose secret is not in the export,")
        add(leftOut.customClaims, "the custom claims")
        add(leftOut.passwords, "the password")
        add(leftOut.missingHashes, "the password, whose hash is not in the export,")
        return lines
    }
}

/// A file that is read once, some at a time.
final class ImportFile {
    private let descriptor: CInt
    private let path: String
    private var chunk = [UInt8](repeating: 0, count: 64 << 10)

    /// `-` is standard input.
    init(_ path: String, mustBeRegular: Bool = false) throws {
        self.path = path
        guard path != "-" else {
            descriptor = STDIN_FILENO
            return
        }
        // Without O_NONBLOCK, a pipe without a writer would block where it is refused anyway.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | (mustBeRegular ? O_NONBLOCK : 0))
        guard descriptor >= 0 else { throw Self.failure(path, String(cString: strerror(errno)).lowercased()) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, !mustBeRegular || status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Self.failure(path, "not a regular file")
        }
    }

    deinit { if descriptor > STDIN_FILENO { close(descriptor) } }

    /// The next bytes; nil at the end.
    func read() throws -> ArraySlice<UInt8>? {
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count > 0 { return chunk[..<count] }
            if count == 0 { return nil }
            if errno != EINTR { throw Self.failure(path, String(cString: strerror(errno)).lowercased()) }
        }
    }

    private static func failure(_ path: String, _ reason: String) -> ExitCode {
        Terminal.failure("cannot read \(path == "-" ? "standard input" : sanitized(path)): \(reason)")
    }
}
