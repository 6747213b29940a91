package import Glibc

/// Shell scripts that tests start as child processes.
package enum Shell {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Starts a script. Its standard input is `input`, or empty for -1; only its standard error can remain visible.
    package static func spawn(
        _ script: String, _ arguments: [String], input: CInt = -1, showsErrors: Bool = false
    ) throws(Failure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if input >= 0 {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        if !showsErrors { posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }
        // A listener of another test that the child inherited would go on listening after that test closed it.
        for descriptor in 3..<min(getdtablesize(), 4_096) { posix_spawn_file_actions_addclose(&actions, descriptor) }
        // What this process ignores or blocks, or was started with, is not the child's.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        func strings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
            texts.map { (text: String) -> UnsafeMutablePointer<CChar>? in strdup(text) } + [nil]
        }
        let words = strings(["sh", "-c", script, "sh"] + arguments)
        let environment = strings(["PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL=C.UTF-8"])
        defer { for pointer in words + environment { free(pointer) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, "/bin/sh", &actions, &attributes, words, environment)
        guard code == 0 else { throw Failure(description: "posix_spawn: \(code)") }
        return process
    }
}
