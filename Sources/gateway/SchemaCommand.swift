import ArgumentParser
import Config

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema of the configuration (draft-07).")

    func run() {
        print(ConfigurationJSONSchema.text, terminator: "")
    }
}
