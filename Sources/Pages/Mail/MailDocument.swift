/// The HTML part of a mail. Mail programs ignore much of CSS, so the styles are inline; the sheet only adds the dark colors.
struct MailDocument: Sendable {
    let subject: String
    let siteName: String
    let text: [String]
    let button: String
    let link: String
    let closing: [String]
    let accent: AccentColor?
    let language: Language

    var html: HTML {
        let fill = accent.map { "\($0.light.fill)" } ?? "#0b5d57"
        let ink = accent.map { "\($0.light.onFill)" } ?? "#ffffff"
        let paragraphs = HTML.joined(text.map { "<p style=\"margin:0 0 16px\">\($0)</p>\n" })
        let ending = HTML.joined(
            closing.map { "<p class=\"quiet\" style=\"margin:0 0 12px;font-size:14px;color:#5a605d\">\($0)</p>\n" })
        return """
            <!doctype html>
            <html lang="\(language.tag)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(subject)</title>
            <style>\(Self.sheet)</style>
            </head>
            <body class="ground" style="margin:0;padding:24px 12px;background:#f3f1ec;color:#1c1f1e;\
            font:16px/1.55 -apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif">
            <div style="max-width:520px;margin:0 auto">
            <p class="quiet" style="margin:0 0 12px;padding:0 4px;font-size:15px;color:#5a605d">\(siteName)</p>
            <div class="card" style="padding:28px;background:#fffefb;border:1px solid #dad6cb;border-radius:14px">
            <h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">\(subject)</h1>
            \(paragraphs)<p style="margin:24px 0"><a href="\(link)" style="display:inline-block;padding:12px 22px;border-radius:10px;\
            background:\(fill);color:\(ink);font-weight:600;text-decoration:none">\(button)</a></p>
            <p class="quiet" style="margin:0 0 16px;font-size:14px;color:#5a605d;overflow-wrap:anywhere">\(link)</p>
            \(ending)</div>
            </div>
            </body>
            </html>

            """
    }

    private static let sheet: HTML = """
        @media (prefers-color-scheme: dark) {
        .ground { background: #131514 !important; color: #ebe9e3 !important; }
        .card { background: #1b1e1d !important; border-color: #343a37 !important; }
        .quiet { color: #a5aba7 !important; } }
        """
}
