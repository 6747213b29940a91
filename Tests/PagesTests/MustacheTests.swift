import Pages
import Testing

/// The parts of the Mustache specification that templates of pages have, and the refusal of the others.
@Suite struct MustacheTests {
    private static let values: [String: any Sendable] = [
        "name": "Al & <Bo>", "number": 42, "yes": true, "no": false, "empty": "", "none": [String](),
        "items": [["id": "a"], ["id": "b"]], "words": ["x", "y"],
        "action": ["label": "Go", "target": ["url": "/x?a=1&b"]] as [String: any Sendable],
        "outer": "o", "inner": ["outer": "i"],
    ]

    private static func rendered(_ source: String, partials: [String: String] = [:]) throws -> String {
        MustacheRenderer.render(try MustacheTemplate(source), values, partials: try partials.mapValues { try MustacheTemplate($0) })
    }

    @Test(arguments: [
        ("a {{name}} b", "a Al &amp; &lt;Bo&gt; b"), ("{{ number }}/{{yes}}/{{absent}}/{{items}}", "42/true//"),
        ("{{action.label}} {{action.target.url}} {{action.absent.url}} {{name.length}}", "Go /x?a=1&amp;b  "), ("{{.}}", ""),
    ])
    func `a variable is replaced with its escaped value, an absent one with nothing`(source: String, text: String) throws {
        #expect(try Self.rendered(source) == text)
    }

    @Test(arguments: [
        ("{{#yes}}a{{/yes}}{{#no}}b{{/no}}{{#absent}}c{{/absent}}{{#empty}}d{{/empty}}{{#none}}e{{/none}}{{#name}}f{{/name}}", "af"),
        ("{{^yes}}a{{/yes}}{{^no}}b{{/no}}{{^absent}}c{{/absent}}{{^empty}}d{{/empty}}{{^none}}e{{/none}}{{^name}}f{{/name}}", "bcde"),
        ("{{#items}}<{{id}}{{outer}}>{{/items}}", "<ao><bo>"), ("{{#words}}{{.}},{{/words}}", "x,y,"),
        ("{{#action}}{{label}}{{#target}}{{url}}{{label}}{{/target}}{{/action}}", "Go/x?a=1&amp;bGo"),
        ("{{#inner}}{{outer}}{{/inner}}{{outer}}", "io"), ("{{#action.label}}{{.}}{{/ action.label }}", "Go"),
    ])
    func `a section is rendered for each item of a list, once for another value, and not for false`(source: String, text: String) throws {
        #expect(try Self.rendered(source) == text)
    }

    @Test(arguments: [
        ("a\n  {{#yes}}\nb\n  {{/yes}}\nc", "a\nb\nc"), ("{{#yes}}\r\nb\r\n{{/yes}}\r\n", "b\r\n"), ("a{{! comment }}b", "ab"),
        ("a\n {{! two\nlines }} \nb", "a\nb"), ("  {{name}}\n", "  Al &amp; &lt;Bo&gt;\n"), ("x {{#yes}}\ny{{/yes}}\n", "x \ny\n"),
        ("{{#yes}} {{/yes}}\n", " \n"), ("a\n{{#yes}}\n{{/yes}}\n{{^no}}\nb\n{{/no}}", "a\nb\n"),
    ])
    func `a tag that prints nothing, alone on its line, takes the line with it`(source: String, text: String) throws {
        #expect(try Self.rendered(source) == text)
    }

    @Test func `a partial has the values of the place that includes it`() throws {
        let partials = ["row": "<li>{{id}}{{> end}}", "end": "</li>\n"]
        #expect(
            try Self.rendered("<ul>\n{{#items}}\n  {{> row}}\n{{/items}}\n</ul>", partials: partials)
                == "<ul>\n<li>a</li>\n<li>b</li>\n</ul>")
    }

    @Test(arguments: [
        ("\n{{#a}}", 2, "`{{#a}}` has no end: write `{{/a}}`"), ("{{/a}}", 1, "ends a section that is not open"),
        ("{{#a}}\n\n{{/b}}", 3, "`{{/b}}` does not match `{{#a}}` in line 1"), ("\r\n{{a", 2, "`{{` is not closed"),
        ("{{}}", 1, "is not a name"),
        ("{{upper(a)}}", 1, "is not a name"), ("{{a..b}}", 1, "is not a name"), ("{{! one\ntwo }}\n{{a b}}", 3, "is not a name"),
        ("{{>}}", 1, "needs the name of a partial"), ("{{< a}}{{/a}}", 1, "blocks are not supported"),
        ("{{$a}}{{/a}}", 1, "blocks are not supported"),
        ("{{{a}}}", 1, "always escaped"), ("{{ &a}}", 1, "always escaped"), ("{{=<% %>=}}", 1, "delimiters stay"), ("{{%P}}", 1, "pragmas"),
        (String(repeating: "{{#a}}", count: 33), 1, "nested more than 32 deep"),
    ])
    func `a template that cannot be used is refused with its line`(source: String, line: Int, reason: String) {
        do throws(MustacheProblem) {
            _ = try MustacheTemplate(source)
            Issue.record("accepted")
        } catch {
            #expect(error.line == line && error.reason.contains(reason), "\(error)")
        }
    }
}
