import SyncCore

/// Bar charts for the partial `shared/bars`.
package enum WebPlot {
  private static let width = 1000.0

  /// Returns the values of the partial `shared/bars` for the first 50 rows with a finite number, in their order. Bars
  /// of negative numbers extend to the left. Returns `nil` if `longest` is 0 and no number differs
  /// from 0.
  ///
  /// - Parameter longest: The number whose bar fills the width, if no number is larger.
  package static func bars(
    _ rows: [(label: String, value: Double, text: String)], caption: String, longest: Double = 0
  ) -> WebValue? {
    let rows = rows.filter { $0.value.isFinite }.prefix(Limits.bars)
    let (least, most) = (min(0, rows.map(\.value).min() ?? 0), max(longest, rows.map(\.value).max() ?? 0))
    guard most > least else { return nil }
    func position(_ value: Double) -> Double { ((value - least) / (most - least) * width).rounded() }
    return .object([
      "barCaption": .text(caption),
      "bars": .list(
        rows.map { row in
          let (start, end) = (position(min(0, row.value)), position(max(0, row.value)))
          return .object([
            "barLabel": .text(row.label), "barText": .text(row.text), "barStart": .text("\(Int(start))"),
            "barWidth": .text("\(Int(end - start))"),
          ])
        }),
    ])
  }
}
