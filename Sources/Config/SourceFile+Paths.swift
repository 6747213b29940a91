import Diagnostics

extension SourceFile {
    /// A path that the file holds, as the process can open it: a relative one is meant relative to the file, as that of a `${file:…}` is.
    func resolving(_ path: String) -> String {
        guard !path.hasPrefix("/"), let slash = name.lastIndex(of: "/") else { return path }
        return name[...slash] + path
    }
}
