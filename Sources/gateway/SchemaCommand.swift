import ArgumentParser
import Config

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema (draft-07) of the configuration, for editors.")

    func run() {
        print(ConfigurationJSONSchema.text, terminator: "")
    }
}
