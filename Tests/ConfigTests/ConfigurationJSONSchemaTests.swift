import Config
import Foundation
import Testing

@Suite struct ConfigurationJSONSchemaTests {
    private func schema() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(ConfigurationJSONSchema.text.utf8)) as? [String: Any])
    }

    @Test func `Every key of every mapping is described, and no other is allowed`() throws {
        let root = try schema()
        let definitions = try #require(root["definitions"] as? [String: Any])
        for shape in ShapeName.allCases {
            let object = shape == .root ? root : try #require(definitions[shape.rawValue] as? [String: Any])
            #expect(object["additionalProperties"] as? Bool == false)
            let properties = try #require(object["properties"] as? [String: Any])
            #expect(Set(properties.keys) == Set(shape.keys.map(\.name)))
            #expect(Set(object["required"] as? [String] ?? []) == Set(shape.keys.filter(\.isRequired).map(\.name)))
        }
    }

    @Test func `Every reference points at a definition`() throws {
        let root = try schema()
        let definitions = try #require(root["definitions"] as? [String: Any])
        let named = ConfigurationJSONSchema.text.matches(of: /"#\/definitions\/([a-zA-Z]+)"/).map { String($0.1) }
        #expect(Set(named) == Set(definitions.keys))
    }

    @Test func `It is draft-07, and x- keys are free at the top level`() throws {
        let root = try schema()
        #expect(root["$schema"] as? String == "http://json-schema.org/draft-07/schema#")
        #expect((root["patternProperties"] as? [String: Any])?.keys.first == "^x-")
    }
}
