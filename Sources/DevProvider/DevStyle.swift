package import Pages

extension StyleSheet {
    /// What the demo's pages add to the look of the gateway's own.
    package static let demo = StyleSheet(css: demoCSS, hash: "sha256-KOVH5H9PU29V5nxktDyRWMYgx/svTqU/uPDNAbFPB88=")

    private static let demoCSS: StaticString = """

        .ribbon { margin: 0 0 1.25rem; font-size: .8125rem; color: var(--quiet); }
        .ribbon strong { color: var(--warn); font-weight: 650; }
        .face { flex: none; width: 2.25rem; height: 2.25rem; }
        .face circle { fill: var(--tint); }
        .wide .site { margin-top: clamp(0rem, 3vh, 2rem); }
        .badge {
          display: inline-block; padding: 0 .5rem; border: 1px solid var(--line); border-radius: 99px;
          color: var(--quiet); font-size: .75rem; font-weight: 500; line-height: 1.6; vertical-align: .08em;
        }
        .links { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 1.25rem 0 0; }
        .links button {
          min-height: 2.75rem; padding: 0; border: 0; background: none; color: var(--accent); font: inherit;
          text-decoration: underline; text-underline-offset: .18em; cursor: pointer;
        }
        .links a { display: inline-flex; align-items: center; min-height: 2.75rem; }
        .who { display: flex; align-items: center; gap: 1rem; margin-top: 1.5rem; }
        .who .face { width: 3.25rem; height: 3.25rem; }
        .who p { margin: 0; }
        .who .lead { font-size: .9375rem; }
        .request {
          margin: 1.25rem 0 0; padding: .625rem .875rem; border-radius: 8px; background: var(--ground); overflow-wrap: anywhere;
          font: .875rem/1.6 ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace;
        }
        .headers { width: 100%; border-collapse: collapse; font-size: .875rem; }
        .headers caption { padding: 0 0 .5rem; text-align: start; color: var(--quiet); }
        .headers th, .headers td { padding: .4375rem .625rem; border-top: 1px solid var(--line); text-align: start; vertical-align: top; }
        .headers th { width: 18.5rem; font-weight: 550; overflow-wrap: anywhere; }
        .headers td {
          font-family: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; font-size: .8125rem; line-height: 1.65;
          overflow-wrap: anywhere;
        }
        .headers .identity th { color: var(--accent); }
        .headers .identity th, .headers .identity td { background: var(--tint); border-top-color: var(--card); }
        .headers .identity th { border-start-start-radius: 6px; border-end-start-radius: 6px; }
        .headers .identity td { border-start-end-radius: 6px; border-end-end-radius: 6px; }
        nav.paths { margin-top: 1.75rem; }
        nav.paths ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0; padding: 0; list-style: none; }
        nav.paths a { display: inline-flex; align-items: center; min-height: 2.75rem; }
        @media (max-width: 40rem) {
          .wide .site { margin-top: .25rem; }
          .headers, .headers tbody, .headers tr, .headers th, .headers td { display: block; width: auto; }
          .headers caption { display: block; }
          .headers th { padding-bottom: 0; }
          .headers td { padding-top: .125rem; border-top: 0; }
          .headers .identity { margin-top: 2px; }
          .headers .identity th, .headers .identity td { border-radius: 0; }
        }
        @media (forced-colors: active) {
          .face circle { fill: none; stroke: CanvasText; }
          .headers .identity th { text-decoration: underline; }
        }

        """
}
