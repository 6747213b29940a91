import Access
import Testing

@Suite struct HeaderTemplateTests {
    @Test(
        "A template is text and expressions",
        arguments: [
            ("{{ uid }}", [.value(.uid, [])]), ("{{uid}}", [.value(.uid, [])]),
            ("Bearer {{ accessToken }}", [.literal("Bearer "), .value(.accessToken, [])]),
            ("{{ groups | join(\"|\") }}", [.value(.groups, [.join(separator: "|")])]),
            ("{{groups|join(\"}}\")|base64}}", [.value(.groups, [.join(separator: "}}"), .base64])]),
            ("{{ name | urlencode | base64 }}", [.value(.name, [.urlencode, .base64])]),
            ("{{ claims.a.b }}", [.value(.claim(path: "a.b"), [])]),
            ("{{ claims.https://example.com/roles }}", [.value(.claim(path: "https://example.com/roles"), [])]),
            ("plain", [.literal("plain")]), ("", []),
            ("  x  ", [.literal("x")]), ("{ uid }", [.literal("{ uid }")]),
            ("{{ email }}/{{ provider }}", [.value(.email, []), .literal("/"), .value(.provider, [])]),
            ("caf\u{e9} {{ idToken }}", [.literal("caf\u{e9} "), .value(.idToken, [])]), ("{{\tauthTime\t}}", [.value(.authTime, [])]),
            ("{{ groups | join( \", \" ) }}", [.value(.groups, [.join(separator: ", ")])]),
            ("{{ emailVerified }}", [.value(.emailVerified, [])]), ("{{ anonymous }}", [.value(.anonymous, [])]),
            ("{{ providers | join(\" \") }}", [.value(.providers, [.join(separator: " ")])]),
        ] as [(String, [HeaderTemplate.Part])])
    func reading(_ text: String, _ parts: [HeaderTemplate.Part]) throws {
        #expect(try HeaderTemplate(text).parts == parts)
    }

    @Test(
        "What is no template is refused at its place",
        arguments: [
            ("{{ uid", .unclosedExpression, 0), ("a {{", .unclosedExpression, 2), ("{{}}", .emptyExpression, 0),
            ("x{{  }}", .emptyExpression, 1),
            ("{{ user }}", .unknownName("user"), 3), ("{{ UID }}", .unknownName("UID"), 3), ("  {{ user }}", .unknownName("user"), 5),
            ("{{ claims }}", .unknownName("claims"), 3),
            ("{{ claims. }}", .emptyClaimPath, 3), ("{{ claims.a. }}", .emptyClaimPath, 3),
            ("{{ uid | upper }}", .unknownFilter("upper"), 9), ("{{ uid | }}", .malformedExpression, 9),
            ("{{ uid base64 }}", .malformedExpression, 7), ("{{ groups | join }}", .malformedSeparator, 16),
            ("{{ groups | join() }}", .malformedSeparator, 16),
            ("{{ groups | join(\"\") }}", .malformedSeparator, 16), ("{{ groups | join(,) }}", .malformedSeparator, 16),
            ("{{ groups | join(\"a\" }}", .malformedSeparator, 16),
            ("{{ groups | join(\"a }}", .malformedSeparator, 16), ("{{ groups | base64 | join(\",\") }}", .joinAfterText, 21),
            ("{{ groups | join(\",\") | join(\",\") }}", .joinAfterText, 24),
            ("uid }}", .malformedExpression, 4), ("a\r\nb", .controlCharacter, 1), ("a\tb", .controlCharacter, 1),
            ("a\u{85}b", .controlCharacter, 1), ("a\u{7f}", .controlCharacter, 1),
            ("{{ groups | join(\"\n\") }}", .controlCharacter, 18), ("{{ uid | base64", .unclosedExpression, 0),
            ("{{ uid |", .unclosedExpression, 0),
            ("{{ | base64 }}", .malformedExpression, 3), ("{{{ uid }}}", .unknownName("{"), 2),
        ] as [(String, HeaderTemplateError.Reason, Int)])
    func refusing(_ text: String, _ reason: HeaderTemplateError.Reason, _ offset: Int) {
        let error = #expect(throws: HeaderTemplateError.self) { try HeaderTemplate(text) }
        #expect(error?.reason == reason)
        #expect(error?.offset == offset)
        #expect(error?.description.isEmpty == false)
    }

    @Test("A template tells whether a token goes into the header")
    func tokens() throws {
        #expect(try HeaderTemplate("Bearer {{ accessToken }}").usesTokens)
        #expect(try HeaderTemplate("{{ idToken | base64 }}").usesTokens)
        #expect(!(try HeaderTemplate("{{ uid }}").usesTokens))
    }
}
