import Diagnostics

extension SourceFile {
    /// Resolves a path in the file: relative paths start at the file, like those of `${file:…}`.
    func resolving(_ path: String) -> String {
        guard !path.hasPrefix("/"), let slash = name.lastIndex(of: "/") else { return path }
        return name[...slash] + path
    }
}
