import Foundation
import SyncCore

/// Bar charts for the partial `shared/bars`, and the round values of axes.
package enum WebPlot {
  private static let width = 1000.0
  private static let mostTicks = 4

  /// Returns the values of the partial `shared/bars` for the first rows with a finite number, in their order. The
  /// caption says if rows are omitted. Bars of negative numbers extend to the left. Returns `nil` if `longest` is 0 and
  /// no number differs from 0.
  ///
  /// - Parameter longest: The number whose bar fills the width, if no number is larger.
  package static func bars(
    _ rows: [(label: String, value: Double, text: String)], caption: String, longest: Double = 0
  ) -> WebValue? {
    let all = rows.filter { $0.value.isFinite }
    let rows = all.prefix(Limits.bars)
    let (least, most) = (min(0, rows.map(\.value).min() ?? 0), max(longest, rows.map(\.value).max() ?? 0))
    guard most > least else { return nil }
    // Without the addition, the position of a negative zero is -0.
    func position(_ value: Double) -> Double { ((value - least) / (most - least) * width).rounded() + 0 }
    let ticks = ticks(from: least, to: most, most: mostTicks, unit: 0)
    return .object([
      "barCaption": .text(rows.count < all.count ? "\(caption), the first \(rows.count) of \(all.count)" : caption),
      "barTicks": .list(ticks.map { tick($0, place: position($0) / width * 100) }),
      "barGrid": .text(ticks.map { "M\(Int(position($0))) 0V10" }.joined()),
      "bars": .list(
        rows.map { row in
          let (start, end) = (position(min(0, row.value)), position(max(0, row.value)))
          return .object(of: [
            "barLabel": .text(row.label), "barLanguage": .text(orNil: WebLanguage.ofScript(row.label)),
            "barText": .text(row.text), "barStart": .text("\(Int(start))"),
            "barWidth": .text("\(Int(end - start))"),
          ])
        }),
    ])
  }

  private static func tick(_ value: Double, place: Double) -> WebValue {
    .object([
      "barTickText": .text(text(value)), "barTickPlace": .text(number(place)),
      "barTickAnchor": .text(anchor(at: place)),
    ])
  }

  /// Returns a coordinate with one decimal.
  package static func number(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

  /// Returns the value of `text-anchor` for a label, so that it does not leave the plot.
  /// - Parameter place: The horizontal place in percent of the plot's width.
  package static func anchor(at place: Double) -> String { place < 8 ? "start" : place > 92 ? "end" : "middle" }

  /// Returns a short text for a round number, as in 250, 10k or 2.5M.
  static func text(_ value: Double) -> String {
    for (unit, suffix) in [(1e9, "G"), (1e6, "M"), (1e4, "k")] where value.magnitude >= unit {
      return plain(value / (unit == 1e4 ? 1000 : unit)) + suffix
    }
    return plain(value)
  }

  private static func plain(_ value: Double) -> String {
    let rounded = (value * 100).rounded() / 100
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }

  /// Returns the round values of an axis in rising order: multiples of 1, 2 or 5 times a power of ten. Empty for values
  /// that are not finite.
  /// - Parameters:
  ///   - low: The first value that the axis shows; `high` is larger.
  ///   - most: The largest number of intervals between round values.
  ///   - unit: The smallest distance of two values; 0 for any distance.
  package static func ticks(from low: Double, to high: Double, most: Int, unit: Double) -> [Double] {
    guard low.isFinite, high.isFinite, high > low, most > 0 else { return [] }
    let least = max((high - low) / Double(most), unit)
    let power = pow(10, floor(log10(least)))
    let factor = [1.0, 2, 5, 10].first { $0 * power >= least * (1 - 1e-9) } ?? 10
    let step = power * factor
    let first = (low / step - 1e-9).rounded(.up)
    let last = (high / step + 1e-9).rounded(.down)
    guard first <= last, last - first <= Double(most) + 1 else { return [] }
    return stride(from: first, through: last, by: 1).map { $0 * step }
  }
}
