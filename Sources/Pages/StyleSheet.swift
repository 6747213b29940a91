/// A style sheet of our own pages and the CSP source expression that allows exactly it.
package struct StyleSheet: Sendable, Equatable {
    package let css: String
    /// `sha256-…` over the UTF-8 of `css` (Content Security Policy Level 3 section 2.3.1).
    package let hash: String

    /// `css` must not contain `<`: it stands inside a `<style>` element unescaped. A sheet that does is emptied.
    package init(css: StaticString, hash: String) {
        let text = css.description
        self.css = text.contains("<") ? "" : text
        self.hash = hash
    }

    /// The shades of an operator's color. The sheet consists of names and hexadecimal digits.
    ///
    /// - Parameter sha256: standard Base64 of the SHA-256 of a text's UTF-8.
    package init(_ accent: AccentColor, sha256: (String) -> String) {
        css = accent.css
        hash = "sha256-\(sha256(css))"
    }

    /// The look of every page. The hash is a constant so that the pages need no cryptography; a test recomputes it.
    package static let base = StyleSheet(css: baseCSS, hash: "sha256-htPikwIQzWLo+X4hOdj5bcZaIzFUCRgD7saaOObFq2E=")

    private static let baseCSS: StaticString = """

        :root {
          color-scheme: light dark;
          --ground: #f3f1ec; --card: #fffefb; --ink: #1c1f1e; --quiet: #5a605d; --line: #dad6cb; --edge: #8b8f8a;
          --accent: #0b5d57; --accent-hover: #084843; --tint: #e4efec;
          --fill: #0b5d57; --fill-hover: #084843; --on-fill: #ffffff;
          --choice: #ffffff; --choice-hover: #f2f2f2; --choice-ink: #000000; --choice-edge: #747775;
          --mark-primary: #131314; --mark-primary-hover: #2b2c2d; --mark-primary-ink: #ffffff;
          --warn: #7a4204; --warn-tint: #fbf0dd; --warn-line: #e5c48f;
          --good: #1c5c32; --good-tint: #e6f3e9; --good-line: #a5cfb0;
          --danger: #b3261e; --danger-hover: #8c1d18; --on-danger: #ffffff; --danger-ink: #a3211a; --field: #ffffff;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --ground: #131514; --card: #1b1e1d; --ink: #ebe9e3; --quiet: #a5aba7; --line: #343a37; --edge: #6d7571;
            --accent: #84d2c7; --accent-hover: #a4e0d7; --tint: #20312e;
            --fill: #84d2c7; --fill-hover: #a4e0d7; --on-fill: #06211e;
            --choice: #131314; --choice-hover: #2b2c2d; --choice-ink: #ffffff; --choice-edge: #8e918f;
            --mark-primary: #ffffff; --mark-primary-hover: #f2f2f2; --mark-primary-ink: #000000;
            --warn: #f2c583; --warn-tint: #30271a; --warn-line: #5c4925;
            --good: #9bd8ad; --good-tint: #1b2c21; --good-line: #35573f;
            --danger: #f2958d; --danger-hover: #f8b4ae; --on-danger: #3b0906; --danger-ink: #f2958d; --field: #131514;
          }
        }
        *, *::before, *::after { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
        body {
          margin: 0; min-height: 100vh; min-height: 100dvh; padding: 1.5rem 1.25rem;
          display: flex; flex-direction: column; align-items: center;
          background: var(--ground); color: var(--ink);
          font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
        }
        .site, main, .foot { width: 100%; max-width: 26rem; }
        .medium .site, .medium main, .medium .foot { max-width: 36rem; }
        .wide .site, .wide main, .wide .foot { max-width: 52rem; }
        .site {
          display: flex; align-items: center; gap: .625rem; margin: clamp(0rem, 7vh, 5rem) 0 1rem; padding: 0 .25rem;
          color: var(--quiet); font-size: .9375rem;
        }
        .site svg { flex: none; color: var(--accent); }
        .site .logo { flex: none; display: block; max-width: 10rem; height: 2rem; object-fit: contain; }
        .site span { overflow-wrap: anywhere; }
        main {
          background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 2rem;
          box-shadow: 0 1px 2px rgb(0 0 0 / .04), 0 12px 32px -18px rgb(0 0 0 / .22);
        }
        h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; font-weight: 650; letter-spacing: -.012em; text-wrap: balance; }
        h2 { margin: 2rem 0 .75rem; font-size: 1.0625rem; line-height: 1.35; font-weight: 650; }
        p { margin: .75rem 0 0; text-wrap: pretty; }
        h1, p, li, dd { overflow-wrap: anywhere; }
        .lead { color: var(--quiet); margin-top: .375rem; }
        a { color: var(--accent); text-underline-offset: .18em; }
        a:hover { color: var(--accent-hover); }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: 6px; }
        .notice {
          margin-top: 1.25rem; padding: .75rem 1rem; border: 1px solid var(--warn-line); border-radius: 10px;
          background: var(--warn-tint); color: var(--warn);
        }
        .notice p { margin: 0; }
        .done { border-color: var(--good-line); background: var(--good-tint); color: var(--good); }
        .choices { list-style: none; margin: 1.5rem 0 0; padding: 0; display: grid; gap: .625rem; }
        .choice {
          display: flex; align-items: center; gap: .875rem; width: 100%; min-height: 3.25rem; padding: .625rem .875rem;
          border: 1px solid var(--choice-edge); border-radius: 10px; background: var(--choice); color: var(--choice-ink);
          font: inherit; font-weight: 550; text-align: start; text-decoration: none; cursor: pointer;
        }
        .choice:hover { border-color: var(--choice-ink); background: var(--choice-hover); color: var(--choice-ink); }
        .choice svg { flex: none; }
        .choice span { min-width: 0; overflow-wrap: anywhere; }
        .choice small { display: block; font-size: .875rem; font-weight: 400; color: var(--quiet); }
        .primary { border-color: var(--accent); background: var(--fill); color: var(--on-fill); }
        .primary:hover { background: var(--fill-hover); color: var(--on-fill); }
        .primary .tile { fill: var(--card); }
        .primary small { color: inherit; }
        .primary.marked { border-color: var(--mark-primary); background: var(--mark-primary); color: var(--mark-primary-ink); }
        .primary.marked:hover { background: var(--mark-primary-hover); color: var(--mark-primary-ink); }
        .tile { fill: var(--tint); }
        .glyph { fill: none; stroke: var(--accent); stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; }
        .letter { fill: var(--accent); font: 650 14px system-ui, "Segoe UI", Roboto, "Liberation Sans", sans-serif; text-anchor: middle; }
        .actions { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.25rem; margin-top: 1.75rem; }
        .actions form { margin: 0; }
        .button {
          display: inline-flex; align-items: center; justify-content: center; min-height: 2.875rem; padding: .5rem 1.375rem;
          border: 1px solid var(--accent); border-radius: 10px; background: var(--fill); color: var(--on-fill);
          font: inherit; font-weight: 600; text-decoration: none; cursor: pointer;
        }
        .button:hover { background: var(--fill-hover); color: var(--on-fill); }
        .button.secondary { border-color: var(--edge); background: transparent; color: var(--accent); }
        .button.secondary:hover { border-color: var(--accent-hover); color: var(--accent-hover); background: transparent; }
        .button.danger { border-color: var(--danger); background: var(--danger); color: var(--on-danger); }
        .button.danger:hover { border-color: var(--danger-hover); background: var(--danger-hover); color: var(--on-danger); }
        .button.danger-text, .button.danger-text:hover { color: var(--danger-ink); }
        .button.danger-text:hover { border-color: var(--danger-ink); }
        .button.compact { min-height: 2.5rem; padding: .25rem .875rem; font-size: .9375rem; }
        .form { display: grid; gap: 1rem; margin: 1.25rem 0 0; }
        .field label { display: block; margin: 0 0 .375rem; font-weight: 550; }
        .field input {
          display: block; width: 100%; min-height: 2.875rem; padding: .5rem .75rem; border: 1px solid var(--edge); border-radius: 10px;
          background: var(--field); color: var(--ink); font: inherit;
        }
        .field input:focus-visible { outline-offset: 1px; border-radius: 10px; }
        .field input[readonly] { background: transparent; color: var(--quiet); border-style: dashed; }
        .field input[aria-invalid] { border-color: var(--danger); box-shadow: inset 0 0 0 1px var(--danger); }
        .hint, .small { margin: .375rem 0 0; color: var(--quiet); font-size: .875rem; line-height: 1.45; }
        .small { margin-top: 1rem; }
        .or { display: flex; align-items: center; gap: .875rem; margin: 1.5rem 0 0; color: var(--quiet); font-size: .9375rem; }
        .or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--line); }
        .links { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1.25rem; margin: .5rem 0 0; }
        .links a { display: inline-flex; align-items: center; min-height: 2.75rem; }
        .aside { margin: 1.25rem 0 0; border-top: 1px solid var(--line); }
        .ask { margin: 1.25rem 0 0; padding: 1rem; border: 1px solid var(--line); border-radius: 10px; background: var(--tint); }
        .ask p { margin: 0 0 .875rem; }
        section { margin: 2rem 0 0; padding: 1.5rem 0 0; border-top: 1px solid var(--line); }
        section h2 { margin: 0; font-size: 1.1875rem; }
        section .form { justify-items: start; }
        section .field { width: 100%; }
        h3 { margin: 1.5rem 0 0; font-size: 1rem; font-weight: 600; }
        h3 + .choices { margin-top: .75rem; }
        .profile { display: grid; gap: .875rem; margin: 1.25rem 0 0; }
        .profile dt { color: var(--quiet); font-size: .875rem; }
        .profile dd { grid-column: 1; margin: -.75rem 0 0; overflow-wrap: anywhere; }
        .profile small, .rows .good { font-size: .8125rem; font-weight: 550; }
        .good { color: var(--good); }
        .warn { color: var(--warn); }
        code { font: .8125rem ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; overflow-wrap: anywhere; }
        .rows { list-style: none; margin: .5rem 0 0; padding: 0; }
        .rows li { display: flex; align-items: center; gap: .875rem; padding: .875rem 0; border-bottom: 1px solid var(--line); }
        .rows li:last-child { border-bottom: 0; padding-bottom: 0; }
        .rows + .form, .rows + p { margin-top: 1.25rem; }
        .rows svg { flex: none; }
        .rows .about { flex: 1; min-width: 0; overflow-wrap: anywhere; line-height: 1.4; }
        .rows strong, .rows .about span, .rows small { display: block; }
        .rows strong { font-weight: 600; }
        .rows .about span { font-size: .9375rem; }
        .rows small { margin-top: .125rem; color: var(--quiet); font-size: .8125rem; }
        .rows .good { color: var(--good); }
        .plain { display: inline-flex; align-items: center; min-height: 2.875rem; }
        .facts {
          display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 2rem 0 0; padding: 1rem 0 0;
          border-top: 1px solid var(--line); color: var(--quiet); font-size: .875rem;
        }
        .facts dt { margin: 0; }
        .facts dd { margin: 0; font-family: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; font-size: .8125rem; line-height: 1.7; }
        .foot { margin: 1rem 0 0; padding: 0 .25rem; color: var(--quiet); font-size: .8125rem; }
        .foot p { margin: 0; }
        .foot-links { display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
        .foot-links a { display: inline-flex; align-items: center; min-height: 2.75rem; color: inherit; }
        @media (max-width: 30rem) {
          body { padding: 1rem .875rem; }
          .site { margin-top: .25rem; }
          main { padding: 1.5rem 1.25rem; }
          .facts { column-gap: .75rem; }
          .facts dd { font-size: .75rem; line-height: 1.85; }
          .actions > .button, .actions form, .actions form .button { width: 100%; }
          section .form, section .rows + .form { justify-items: stretch; }
          section p > .button { width: 100%; }
          .actions > .plain { width: 100%; justify-content: center; }
        }
        @media (prefers-reduced-motion: no-preference) {
          .choice, .button { transition: background-color .12s ease-out, border-color .12s ease-out; }
        }
        @media (prefers-contrast: more) {
          :root { --quiet: var(--ink); --line: var(--ink); --edge: var(--ink); }
        }
        @media (forced-colors: active) {
          main, .button, .notice, .field input { border: 1px solid; }
          .primary { border-width: 3px; }
          .glyph { stroke: CanvasText; }
          .letter { fill: CanvasText; }
          .tile { fill: none; stroke: CanvasText; }
        }

        """
}
