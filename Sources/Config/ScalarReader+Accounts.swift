import Primitives

import Diagnostics

extension ScalarReader {
    func accountStore() -> Result<ScalarValue, ScalarProblem> {
        if text.hasPrefix(AccountStoreLocation.sqliteScheme) { return sqlite(text.dropFirst(AccountStoreLocation.sqliteScheme.count)) }
        guard PostgresURL.isPostgres(text) else {
            let isPath = isShowable && !text.contains("://") && (text.contains("/") || text.hasSuffix(".db"))
            return .failure(
                ScalarProblem(
                    "`\(key)` must be `sqlite:PATH` or the URL of a PostgreSQL database", label: isPath ? "no `sqlite:`" : "not a store",
                    help: isPath ? "write `sqlite:\(text)`" : "write `sqlite:./accounts.db` or `postgres://user:password@host:5432/db`"))
        }
        if let problem = PostgresURL(text).problem {
            return .failure(
                ScalarProblem(
                    "this PostgreSQL URL \(problem.rawValue)", label: "not a valid URL",
                    help: "write it like `postgres://user:password@host:5432/db?sslmode=verify-full`"))
        }
        return .success(.text(text))
    }

    /// A path, also after the empty authority of `sqlite:///var/lib/accounts.db`, which libraries use.
    private func sqlite(_ path: Substring) -> Result<ScalarValue, ScalarProblem> {
        if path.hasPrefix("//") {
            let rest = path.drop { $0 == "/" }
            return .failure(
                ScalarProblem(
                    "`\(key)` must be `sqlite:` and a path, without `//`", label: "not a path",
                    help: isShowable ? "write `sqlite:/\(rest)`, or `sqlite:./\(rest)`" : "write `sqlite:/var/lib/gateway/accounts.db`"))
        }
        guard !path.isEmpty, !path.hasSuffix("/"), path != ".", path != "..", path != ":memory:" else {
            return .failure(
                ScalarProblem(
                    "`\(key)` must name a file after `sqlite:`", label: path == ":memory:" ? "lost at every restart" : "not a file",
                    help: "write `sqlite:./accounts.db`"))
        }
        return self.path()
    }

    func mailURL() -> Result<ScalarValue, ScalarProblem> {
        do throws(MailURL.Problem) {
            _ = try MailURL(text)
            return .success(.text(text))
        } catch {
            return .failure(
                ScalarProblem(
                    "this mail server's URL \(error.rawValue)", label: "not a valid URL",
                    help: "write it like `smtps://user:password@smtp.example.com:465`"))
        }
    }

    func mailSender() -> Result<ScalarValue, ScalarProblem> {
        do throws(MailAddress.Problem) {
            _ = try MailAddress(parsing: text)
            return .success(.text(text))
        } catch {
            return .failure(
                ScalarProblem(
                    "\(shown) is not the sender of a mail", label: error == .name ? "not a name" : "not an address",
                    help: "write `no-reply@example.com` or \"Example <no-reply@example.com>\""))
        }
    }

    func mailDomain() -> Result<ScalarValue, ScalarProblem> {
        let bare = text.drop { $0 == "*" || $0 == "@" || $0 == "." }
        guard !text.hasPrefix("*"), !text.hasPrefix("."), !text.contains("@"), !text.hasSuffix(".") else {
            let isDomain = isShowable && AbsoluteURL.isHostName(bare) && !bare.hasSuffix(".")
            return .failure(
                ScalarProblem(
                    "\(shown) is not a domain", label: "more than a domain",
                    help: isDomain
                        ? "write `\(bare)`; each domain is compared whole, without those below it"
                        : "write the part after the `@`, like `example.com`",
                    replacement: isDomain ? String(bare) : nil))
        }
        guard AbsoluteURL.isHostName(text), text.split(separator: ".").last?.allSatisfy(\.isNumber) == false else {
            let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
            return .failure(
                ScalarProblem(
                    "\(shown) is not a domain", label: "not a domain",
                    help: isASCII ? "write it like `example.com`" : "write the domain in its ASCII form (`xn--…`)"))
        }
        return .success(.text(text))
    }
}
