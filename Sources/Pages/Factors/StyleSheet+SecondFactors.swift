extension StyleSheet {
    /// What the pages of second factors have besides the look of every page. A test recomputes the hash.
    package static let secondFactors = StyleSheet(
        css: secondFactorsCSS, hash: "sha256-l8NCyT03/ECDGlkSgAJXe1YOX+RuqGKUUIkqc48QgLM=")

    private static let secondFactorsCSS: StaticString = """

        [hidden] { display: none !important; }
        .field input[autocomplete="one-time-code"] { font-size: 1.25rem; letter-spacing: .18em; font-variant-numeric: tabular-nums; }
        .check { display: flex; align-items: flex-start; gap: .625rem; }
        .check input { flex: none; width: 1.25rem; height: 1.25rem; margin: .15rem 0 0; accent-color: var(--fill); }
        .check label { line-height: 1.55; }
        .form + .form { margin-top: .625rem; }
        .form + .form .button { width: 100%; }
        .qr { display: flex; justify-content: center; margin: 1rem 0 0; }
        .qr img { display: block; padding: .5rem; border: 1px solid var(--line); border-radius: 10px; background: #ffffff; }
        .secret code { display: flex; flex-wrap: wrap; gap: .125rem .625rem; font-size: 1rem; line-height: 1.6; }
        .secret, .codes { padding: .75rem 1rem; border: 1px solid var(--line); border-radius: 10px; background: var(--tint); }
        .codes {
          list-style: none; margin: 1.25rem 0 0; display: grid; gap: .25rem 1.5rem;
          grid-template-columns: repeat(auto-fit, minmax(12.5rem, 1fr));
        }
        .codes code { font-size: 1rem; line-height: 1.75; white-space: nowrap; }
        .addition { margin: 1.25rem 0 0; padding: 1.25rem 0 0; border-top: 1px solid var(--line); }
        h2 + .addition { border-top: 0; padding-top: 0; }
        .addition h3 { display: flex; align-items: center; gap: .75rem; margin: 0; }
        .addition h3 svg { flex: none; }
        @media print {
          body { display: block; min-height: 0; padding: 0; background: none; color: #000000; }
          main { border: 0; padding: 0; box-shadow: none; }
          .actions, .foot { display: none; }
          .codes { background: none; border-color: #000000; }
        }

        """
}
