import Foundation
import Providers
import Testing

/// docs/providers: a page for each preset, whose part between the markers is written from the preset.
/// With UPDATE_DOCS=1 in the environment, the test rewrites this part.
@Suite struct ProviderPagesTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("docs/providers")
    private static let begin = "<!-- from the preset: UPDATE_DOCS=1 swift test --filter ProvidersTests rewrites this part -->\n"
    private static let end = "<!-- end of the part from the preset -->\n"
    private static let isUpdating = ProcessInfo.processInfo.environment["UPDATE_DOCS"] == "1"

    private func text(_ file: URL) -> String? { try? String(contentsOf: file, encoding: .utf8) }

    @Test("The page of each preset says what the preset says", arguments: ProviderCatalogue.presets.map(\.id))
    func page(id: String) throws {
        let preset = try #require(ProviderCatalogue.presets.first { $0.id == id })
        let file = Self.folder.appendingPathComponent("\(id).md")
        let heading = "# \(preset.displayName)\n\n"
        let introduced = text(file).map { !$0.hasPrefix(heading + Self.begin) } ?? false
        let purpose = introduced ? "" : ProviderPage.purpose(preset) + "\n\n"
        let generated = Self.begin + "\n" + purpose + ProviderPage.markdown(preset) + "\n" + Self.end
        var page = text(file) ?? heading + generated
        if Self.isUpdating {
            if let from = page.range(of: Self.begin), let to = page.range(of: Self.end), from.lowerBound < to.lowerBound {
                page.replaceSubrange(from.lowerBound..<to.upperBound, with: generated)
            } else {
                page += "\n" + generated
            }
            try page.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(text(file)?.contains(generated) == true, "docs/providers/\(id).md is not what the preset says")
    }

    @Test func `The index names every preset once, and nothing else has a page`() throws {
        let text = ProviderPage.index
        let file = Self.folder.appendingPathComponent("README.md")
        if Self.isUpdating { try text.write(to: file, atomically: true, encoding: .utf8) }
        #expect(self.text(file) == text, "docs/providers/README.md is not what the presets say")
        let pages = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter { $0.hasSuffix(".md") }
        #expect(ProviderTopic.allCases.flatMap(\.presets).sorted() == ProviderCatalogue.presets.map(\.id).sorted())
        #expect(Set(pages) == Set(ProviderCatalogue.presets.map { $0.id + ".md" } + ["README.md"]))
    }

    @Test("The steps name the exact addresses", arguments: ProviderCatalogue.presets.map(\.id))
    func steps(id: String) throws {
        let preset = try #require(ProviderCatalogue.presets.first { $0.id == id })
        let addresses = ProviderPage.Addresses(id: "\(ProviderPage.exampleID(preset))", redirectBase: "https://app.example.com/_gateway")
        let steps = ProviderPage.steps(preset, addresses).joined(separator: "\n")
        #expect(steps.contains("https://app.example.com/_gateway/callback/\(ProviderPage.exampleID(preset))"))
        #expect(!steps.contains("{redirectURI}") && !steps.contains("{loggedOutURI}"))
    }
}
