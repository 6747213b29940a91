/// The operator's color of buttons, links and icons, adapted so that text stays readable.
///
/// The color itself fills buttons. Links and icons use a darker or lighter shade of it where it lacks contrast with the
/// page, so every text reaches the ratio 4.5:1 in both color schemes (WCAG 2.2, success criterion 1.4.3).
package struct AccentColor: Sendable, Equatable {
    private let color: RGBColor

    /// `#0b5d57`, with or without the `#`; nil for anything else.
    package init?(_ text: String) {
        guard let color = RGBColor(text) else { return nil }
        self.color = color
    }

    /// The shades for one color scheme.
    struct Shades: Equatable {
        /// Links, icons and focus rings on `card`.
        var accent: RGBColor
        var accentHover: RGBColor
        /// The background of the main button.
        var fill: RGBColor
        var fillHover: RGBColor
        /// Text on `fill` and on `fillHover`.
        var onFill: RGBColor
        /// The background of icons and of a button under the pointer.
        var tint: RGBColor
    }

    /// Cards of the built-in style sheet.
    static let lightCard = RGBColor(red: 0xFF, green: 0xFE, blue: 0xFB)
    static let darkCard = RGBColor(red: 0x1B, green: 0x1E, blue: 0x1D)
    static let readableContrast = 4.5

    var light: Shades { shades(on: Self.lightCard, toward: .black) }
    var dark: Shades { shades(on: Self.darkCard, toward: .white) }

    private func shades(on card: RGBColor, toward ink: RGBColor) -> Shades {
        let tint = card.mixed(with: color, 0.12)
        let accent = readable(on: card, and: tint, toward: ink)
        let onFill = RGBColor.white.contrast(with: color) >= Self.readableContrast ? RGBColor.white : .black
        return Shades(
            accent: accent, accentHover: accent.mixed(with: ink, 0.25), fill: color,
            fillHover: color.mixed(with: onFill == .white ? .black : .white, 0.15), onFill: onFill, tint: tint)
    }

    /// The first shade on the way to `ink` with enough contrast.
    private func readable(on card: RGBColor, and tint: RGBColor, toward ink: RGBColor) -> RGBColor {
        let steps = stride(from: 0.0, through: 1.0, by: 0.05).lazy.map { color.mixed(with: ink, $0) }
        return steps.first { min($0.contrast(with: card), $0.contrast(with: tint)) >= Self.readableContrast } ?? ink
    }

    var css: String {
        ":root{\(Self.declarations(light))}@media (prefers-color-scheme:dark){:root{\(Self.declarations(dark))}}"
    }

    private static func declarations(_ shades: Shades) -> String {
        "--accent:\(shades.accent);--accent-hover:\(shades.accentHover);--fill:\(shades.fill);--fill-hover:\(shades.fillHover);"
            + "--on-fill:\(shades.onFill);--tint:\(shades.tint)"
    }
}
