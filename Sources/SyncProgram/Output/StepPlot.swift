import Foundation

/// A plot of values that stay the same between two changes, with a panel for each value and one axis of time.
struct StepPlot {
  /// A value and its time span, in seconds since 1970.
  struct Step: Equatable {
    var from: Int64
    var to: Int64
    var value: Double
  }

  /// The steps of one value, in the order of time. Gaps between steps are times without a known value.
  struct Panel {
    var title: String
    var steps: [Step]
    /// Whether smaller values are drawn higher, as for ranks.
    var isInverted = false
    /// The smallest difference of two labels: 1 for whole numbers, 0.01 for scores.
    var unit = 1.0
    /// The number of text lines. A panel whose values are all equal has one line.
    var height: Int
  }

  var panels: [Panel]

  private static let narrowest = 10

  /// The panels that have steps.
  var drawn: [Panel] { panels.filter { !$0.steps.isEmpty } }

  /// The time span of all steps, at least one second. `nil` without steps.
  var span: (from: Int64, to: Int64)? {
    let steps = panels.flatMap(\.steps)
    guard let from = steps.map(\.from).min(), let to = steps.map(\.to).max() else { return nil }
    return (from, max(to, from + 1))
  }

  /// Returns the lines of the plot for a terminal of `width` columns. Empty without steps.
  func lines(width: Int) -> [StyledLine] {
    let panels = drawn
    guard let span else { return [] }
    let margin = panels.flatMap { $0.labels.values }.map(\.count).max() ?? 0
    let columns = max(Self.narrowest, width - margin - 2)
    let axis = TimeAxis(from: span.from, to: span.to, columns: columns)
    let lines = panels.map { panel in
      [StyledLine(panel.title, .bold)]
        + zip(0..., panel.canvas(axis).rows).map { line, dots in
          let label = panel.labels[line]
          return StyledLine([
            .init(
              text: TerminalText.pad(label ?? "", to: margin, trailing: true)
                + Glyphs.shown(label == nil ? " │" : " ┤"), style: .dim),
            .init(text: TerminalText.trimmed(Glyphs.shown(dots)), style: .green),
          ])
        }
    }
    let (marks, labels) = axis.lines
    let indent = String(repeating: " ", count: margin + 1)
    return Array(lines.joined(separator: [StyledLine("")]))
      + [StyledLine(indent + Glyphs.shown("└" + marks), .dim), StyledLine(indent + " " + labels, .dim)]
  }
}

extension StepPlot.Panel {
  var low: Double { steps.map(\.value).min() ?? 0 }
  var high: Double { steps.map(\.value).max() ?? 0 }
  private var lines: Int { low == high ? 1 : height }

  private static let rounding = 1e-9

  /// Maps a value to its vertical position, from 0 at the top to 1 at the bottom.
  var share: (Double) -> Double {
    let (low, high) = (low, high)
    guard low < high else { return { _ in 0.5 } }
    return { [isInverted] value in
      let share = (value - low) / (high - low)
      return isInverted ? share : 1 - share
    }
  }

  private func dot(_ value: Double) -> Int {
    low == high ? Braille.down / 2 : Int((share(value) * Double(lines * Braille.down - 1)).rounded())
  }

  /// Draws the steps as horizontal lines. A step that begins where the last one ends is joined by a vertical line.
  fileprivate func canvas(_ axis: TimeAxis) -> Braille {
    var canvas = Braille(columns: axis.columns, lines: lines)
    var end: (x: Int, y: Int)?
    for step in steps {
      let (x, y) = (axis.dot(step.from), dot(step.value))
      if let end, end.x >= x { for between in min(end.y, y)...max(end.y, y) { canvas.set(x, between) } }
      let right = max(x, axis.dot(step.to))
      for column in x...right { canvas.set(column, y) }
      end = (right, y)
    }
    return canvas
  }

  /// The labels by line: the smallest and the largest value, and round values with an empty line between two labels.
  fileprivate var labels: [Int: String] {
    var labels: [Int: String] = [:]
    for value in [low, high] { labels[dot(value) / Braille.down] = text(value) }

    let smallestTick = max((high - low) / Double(max(1, height / 2)), unit)
    var tick = pow(10, floor(log10(smallestTick) + Self.rounding))
    // From 1, these factors lead to 2, 5 and 10.
    for factor in [2.0, 2.5, 2.0] where tick < smallestTick * (1 - Self.rounding) { tick *= factor }

    for value in stride(from: (low / tick).rounded(.up) * tick, through: high, by: tick) {
      let line = dot(value) / Braille.down
      if labels.keys.allSatisfy({ abs($0 - line) > 1 }) { labels[line] = text(value) }
    }
    return labels
  }

  func text(_ value: Double) -> String {
    if unit >= 1, value.magnitude < 1e15 { return HumanFormat.count(Int(value.rounded())) }
    return String(format: "%.\(max(0, Int(ceil(-log10(unit) - Self.rounding))))f", value)
  }
}

/// A drawing in characters that have 2 × 4 dots each. Dots are counted from the top left corner.
struct Braille {
  static let across = 2
  static let down = 4
  private static let bits: [[UInt8]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]

  private let columns: Int
  private var cells: [UInt8]

  init(columns: Int, lines: Int) {
    self.columns = columns
    cells = Array(repeating: 0, count: columns * lines)
  }

  /// Sets a dot. A dot outside the drawing is ignored.
  mutating func set(_ x: Int, _ y: Int) {
    guard x >= 0, x < columns * Self.across, y >= 0, y < cells.count / columns * Self.down else { return }
    cells[y / Self.down * columns + x / Self.across] |= Self.bits[y % Self.down][x % Self.across]
  }

  var rows: [String] {
    stride(from: 0, to: cells.count, by: columns).map { start in
      let line = cells[start..<(start + columns)].map { cell in
        cell == 0 ? " " : String(Unicode.Scalar(0x2800 + UInt32(cell)).map(Character.init) ?? " ")
      }
      return line.joined()
    }
  }
}

/// The horizontal axis of a plot. Times are seconds since 1970, and `to` is later than `from`.
struct TimeAxis {
  let from: Int64
  let to: Int64
  let columns: Int

  /// Returns the horizontal dot of a time.
  func dot(_ time: Int64) -> Int {
    Int((Double(time - from) / Double(to - from) * Double(columns * Braille.across - 1)).rounded())
  }

  /// The line of the axis with its marks, and the line of labels below it. The first and the last time come before
  /// round times between them. A label that does not fit is omitted with its mark.
  var lines: (marks: String, labels: String) {
    var marks = Array(repeating: Character("─"), count: columns)
    var labels = Array(repeating: Character(" "), count: columns)
    var occupied: [Range<Int>] = []
    let unit = unit

    func put(_ time: Int64, at start: Int, marking column: Int) {
      let label = Array(Self.label(time, unit))
      let place = start..<(start + label.count)
      let isFree = occupied.allSatisfy { other in
        place.upperBound + Self.gap <= other.lowerBound || other.upperBound + Self.gap <= place.lowerBound
      }
      guard isFree, place.lowerBound >= 0, place.upperBound <= columns else { return }
      marks[column] = "┬"
      labels.replaceSubrange(place, with: label)
      occupied.append(place)
    }

    put(from, at: 0, marking: 0)
    put(to, at: columns - unit.labelWidth, marking: columns - 1)
    for time in times(unit) {
      let column = dot(time) / Braille.across
      put(time, at: column, marking: column)
    }
    return (String(marks), TerminalText.trimmed(String(labels)))
  }

  /// The round times between `from` and `to`, with their labels, so many as fit `columns`.
  var roundTimes: [(time: Int64, label: String)] { times(unit).map { ($0, Self.label($0, unit)) } }

  /// The number of empty columns between two labels.
  private static let gap = 2

  /// A distance of round times, its approximate length in seconds, and the number of columns of such a time's label.
  private typealias Unit = (component: Calendar.Component, count: Int, seconds: Int64, labelWidth: Int)

  private static let units: [Unit] = [
    (.minute, 1, 60, 16),
    (.minute, 10, 600, 16),
    (.hour, 1, 3600, 16),
    (.hour, 6, 21_600, 16),
    (.day, 1, 86_400, 10),
    (.day, 2, 172_800, 10),
    (.day, 7, 604_800, 10),
    (.month, 1, 2_592_000, 7),
    (.month, 3, 7_776_000, 7),
    (.month, 6, 15_552_000, 7),
    (.year, 1, 31_536_000, 4),
    (.year, 5, 157_680_000, 4),
  ]

  /// The smallest distance whose labels fit. If none fits, the largest.
  private var unit: Unit {
    let fitting = Self.units.first { unit in (to - from) / unit.seconds < Int64(columns / (unit.labelWidth + 2)) }
    return fitting ?? Self.units[Self.units.count - 1]
  }

  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  /// Returns the round times after `from`, at most 100.
  private func times(_ unit: Unit) -> [Int64] {
    var times: [Int64] = []
    let start = Date(timeIntervalSince1970: Double(from))
    guard var moment = Self.calendar.dateInterval(of: unit.component, for: start)?.start else { return times }
    while let next = Self.calendar.date(byAdding: unit.component, value: unit.count, to: moment),
      Int64(next.timeIntervalSince1970) <= to, times.count < 100
    {
      moment = next
      if Int64(moment.timeIntervalSince1970) > from { times.append(Int64(moment.timeIntervalSince1970)) }
    }
    return times
  }

  private static func label(_ time: Int64, _ unit: Unit) -> String {
    let text = Date(timeIntervalSince1970: Double(time)).formatted(.iso8601)
    return String(text.prefix(unit.labelWidth)).replacing("T", with: " ")
  }
}
