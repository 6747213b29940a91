import Testing
import TokenCrypto

@Suite struct JSONValueTests {
    @Test(
        "a JSON text is read as its value",
        arguments: [
            ("null", JSONValue.null),
            (" \t\r\n true ", .bool(true)),
            ("false", .bool(false)),
            ("0", .integer(0)),
            ("-0", .integer(0)),
            ("9223372036854775807", .integer(.max)),
            ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .number(9_223_372_036_854_775_808)),
            ("1.5e3", .number(1500)),
            ("1E-2", .number(0.01)),
            ("\"\"", .string("")),
            (#""a\"\\\/\b\f\n\r\t\u00e9\u0000""#, .string("a\"\\/\u{8}\u{C}\n\r\t\u{e9}\0")),
            (#""\uD83D\uDE00\uFFFF""#, .string("\u{1F600}\u{FFFF}")),
            ("\"日本\u{7F}\"", .string("日本\u{7F}")),
            ("[]", .array([])),
            ("[1, [2],{}]", .array([.integer(1), .array([.integer(2)]), .object([:])])),
            (#"{"a":{"b":[]},"":1}"#, .object(["a": .object(["b": .array([])]), "": .integer(1)])),
        ])
    func accepted(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == value)
    }

    @Test(
        "RFC 8259: what is not JSON is refused, with the place",
        arguments: [
            ("", 0, "the text ends where a value is expected"),
            ("nul", 0, "a value cannot start like this"),
            ("nuLl", 0, "a value cannot start like this"),
            ("True", 0, "a value cannot start like this"),
            ("\u{FEFF}{}", 0, "a value cannot start like this"),
            ("NaN", 0, "a value cannot start like this"),
            ("Infinity", 0, "a value cannot start like this"),
            ("-Infinity", 1, "a digit is expected"),
            ("+1", 0, "a value cannot start like this"),
            ("01", 0, "a number begins with a zero"),
            ("-01", 0, "a number begins with a zero"),
            ("1.", 2, "a digit is expected"),
            (".5", 0, "a value cannot start like this"),
            ("1e", 2, "a digit is expected"),
            ("1e+", 3, "a digit is expected"),
            ("1e999", 0, "a number is out of range"),
            ("0x10", 1, "there is unexpected text after the value"),
            ("1 2", 2, "there is unexpected text after the value"),
            ("{}\0", 2, "there is unexpected text after the value"),
            ("[1,]", 3, "a value cannot start like this"),
            ("[1 2]", 3, "a comma or the end of the array is expected"),
            ("[1", 2, "a comma or the end of the array is expected"),
            ("[", 1, "the text ends where a value is expected"),
            ("{", 1, "a member name is expected"),
            ("{a:1}", 1, "a member name is expected"),
            ("{'a':1}", 1, "a member name is expected"),
            (#"{"a" 1}"#, 5, "a colon is expected"),
            (#"{"a":1,}"#, 7, "a member name is expected"),
            (#"{"a":1 "b":2}"#, 7, "a comma or the end of the object is expected"),
            (#"{"a":}"#, 5, "a value cannot start like this"),
            ("/**/1", 0, "a value cannot start like this"),
            ("\"a", 0, "a string does not end"),
            ("\"a\nb\"", 2, "a control character in a string is not escaped"),
            ("\"\0\"", 1, "a control character in a string is not escaped"),
            (#""\x41""#, 1, "an escape is unknown"),
            (#""\u12"#, 1, "an escape needs four hexadecimal digits"),
            (#""\u+123""#, 1, "an escape needs four hexadecimal digits"),
            ("\"\\", 1, "an escape is cut off"),
        ])
    func refused(text: String, offset: Int, reason: String) {
        #expect(throws: JSONError(offset: offset, reason: reason)) { try JSONValue(parsing: text) }
    }

    @Test(
        "RFC 8259 section 8.2: a surrogate that stands alone is refused",
        arguments: [
            #""\uD800""#, #""\uDC00""#, #""\uD83Dx""#, #""\uD83D\n""#, #""\uD83D\u0041""#, #""\uD83D\uD83D""#, #""\uDE00\uD83D""#,
            #""\uD83D\u0000""#,
        ])
    func loneSurrogate(text: String) {
        #expect(throws: JSONError(offset: 1, reason: "a surrogate is unpaired")) { try JSONValue(parsing: text) }
    }

    @Test(
        "RFC 8259 section 8.1: bytes that are not UTF-8 are refused",
        arguments: [
            [0xFF], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x80],
        ] as [[UInt8]])
    func invalidUTF8(content: [UInt8]) {
        #expect(throws: JSONError(offset: 0, reason: "a string is not valid UTF-8")) {
            try JSONValue(parsing: [0x22] + content + [0x22])
        }
    }

    @Test(
        "a member name used twice is refused, also when one is escaped or nested",
        arguments: [
            (#"{"a":1,"a":1}"#, 7),
            (#"{"a":1,"\u0061":2}"#, 7),
            (#"{"x":{"sub":"a","y":1,"sub":"b"}}"#, 22),
            ("{\"\u{E9}\":1,\"e\u{301}\":2}", 8),
        ])
    func duplicateNames(text: String, offset: Int) {
        #expect(throws: JSONError(offset: offset, reason: "a member name is used twice")) { try JSONValue(parsing: text) }
    }

    @Test func `depth is limited, whatever is nested`() throws {
        let limits = JSONValue.Limits(bytes: 1000, depth: 3)
        #expect(throws: Never.self) { try JSONValue(parsing: "[[[1]]]", limits: limits) }
        #expect(throws: Never.self) { try JSONValue(parsing: "[[[1]],[[2]],[[3]],[[4]]]", limits: limits) }
        let error = JSONError(offset: 3, reason: "arrays and objects are nested deeper than 3 levels")
        #expect(throws: error) { try JSONValue(parsing: "[[[[1]]]]", limits: limits) }
        #expect(throws: JSONError(offset: 32, reason: "arrays and objects are nested deeper than 32 levels")) {
            try JSONValue(parsing: String(repeating: "[", count: 100_000))
        }
    }

    @Test func `size is limited before anything is read`() {
        let limits = JSONValue.Limits(bytes: 4, depth: 3)
        #expect(throws: Never.self) { try JSONValue(parsing: "1234", limits: limits) }
        #expect(throws: JSONError(offset: 4, reason: "the text is longer than 4 bytes")) { try JSONValue(parsing: "12345", limits: limits) }
    }

    @Test func `an error never quotes the input`() {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: #"{"secret":"hunter2","secret":1}"#) }
        #expect(error?.description == "a member name is used twice at byte 20")
    }

    @Test(
        "a value is written compactly, its members sorted by the bytes of their names",
        arguments: [
            (#"{ "b":1, "a":[true,null,"x"], "Z":{} , "é":0, "":2}"#, #"{"":2,"Z":{},"a":[true,null,"x"],"b":1,"é":0}"#),
            (#""\u001f\"\\\/\n\r\t\u007f""#, #""\u001f\"\\/\n\r\t\u007f""#),
            ("[1.0,1e20,0.1,-5]", "[1.0,1e+20,0.1,-5]"),
        ])
    func serialized(text: String, expected: String) throws {
        let value = try JSONValue(parsing: text)
        #expect(value.serialized() == expected)
        #expect(try JSONValue(parsing: value.serialized()) == value)
    }

    @Test func `numbers that JSON lacks are written as null`() {
        #expect(JSONValue.array([.number(.infinity), .number(.nan)]).serialized() == "[null,null]")
    }

    @Test func `accessors answer for their own kind only`() throws {
        let value = try JSONValue(parsing: #"{"s":"x","b":true,"i":7,"a":[1],"o":{},"n":null,"e":1.7e9,"f":1.5,"huge":1e300}"#)
        #expect(value["s"]?.string == "x" && value["s"]?.bool == nil && value["s"]?.integer == nil)
        #expect(value["b"]?.bool == true && value["b"]?.string == nil && value["b"]?.integer == nil)
        #expect(value["i"]?.integer == 7 && value["i"]?.bool == nil)
        #expect(value["a"]?.array == [.integer(1)] && value["a"]?.object == nil)
        #expect(value["o"]?.object == [:] && value["o"]?.array == nil)
        #expect(value["n"] == .null && value["missing"] == nil)
        #expect(value["e"]?.integer == 1_700_000_000 && value["f"]?.integer == nil && value["huge"]?.integer == nil)
        #expect(value["a"]?["s"] == nil)
    }

    @Test(
        "a path finds members, names with dots included",
        arguments: [
            ("email", "top"),
            ("address.country", "nested"),
            ("https://example.com/claims.team", "namespaced"),
            ("https://example.com/whole.name", "whole"),
            ("resource_access.my.client.role", "dotted"),
            ("both.x", "whole wins"),
            ("address", nil),
            ("address.country.more", nil),
            ("address.", nil),
            (".email", nil),
            ("", nil),
            ("missing.country", nil),
            ("list.0", "a"),
            ("list.1", nil),
            ("list.x", nil),
            ("people.1.name", "Bo"),
            ("people.00.name", "Al"),
        ] as [(String, String?)])
    func path(path: String, expected: String?) throws {
        let value = try JSONValue(
            parsing: """
                {"email":"top","address":{"country":"nested"},"https://example.com/claims":{"team":"namespaced"},
                "https://example.com/whole.name":"whole","resource_access":{"my.client":{"role":"dotted"}},
                "both":{"x":"nested loses"},"both.x":"whole wins","list":["a"],
                "people":[{"name":"Al"},{"name":"Bo"},[{"name":"inner"}],{"other":1}]}
                """)
        #expect(value.value(at: path)?.string == expected)
    }

    @Test func `a path through a list collects what its elements have, and never from lists in lists`() throws {
        let value = try JSONValue(parsing: #"{"people":[{"name":"Al"},{"name":"Bo"},[{"name":"inner"}],{"other":1}]}"#)
        #expect(value.value(at: "people.name") == .array([.string("Al"), .string("Bo")]))
        #expect(value.value(at: "people.missing") == nil)
    }
}
