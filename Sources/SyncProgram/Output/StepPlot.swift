import Foundation

struct StepPlot {
  struct Step: Equatable {
    var from: Int64
    var to: Int64
    var value: Double
  }

  struct Panel {
    var title: String
    var steps: [Step]
    var isInverted = false
    var unit = 1.0
    var height: Int
  }

  var panels: [Panel]

  private static let narrowest = 10

  var drawn: [Panel] { panels.filter { !$0.steps.isEmpty } }

  var span: (from: Int64, to: Int64)? {
    let steps = panels.flatMap(\.steps)
    guard let from = steps.map(\.from).min(), let to = steps.map(\.to).max() else { return nil }
    return (from, max(to, from + 1))
  }

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

  fileprivate var labels: [Int: String] {
    var labels: [Int: String] = [:]
    for value in [low, high] { labels[dot(value) / Braille.down] = text(value) }
    let smallestTick = max((high - low) / Double(max(1, height / 2)), unit)
    var tick = pow(10, floor(log10(smallestTick) + Self.rounding))
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

struct TimeAxis {
  let from: Int64
  let to: Int64
  let columns: Int

  func dot(_ time: Int64) -> Int {
    Int((Double(time - from) / Double(to - from) * Double(columns * Braille.across - 1)).rounded())
  }

  var lines: (marks: String, labels: String) {
    var marks = Array(repeating: Character("─"), count: columns)
    var labels = Array(repeating: Character(" "), count: columns)
    let unit = unit
    var free = 0
    var end = columns
    func put(_ time: Int64, at start: Int, marking column: Int) {
      let label = Array(Self.label(time, unit))
      guard start >= free, start + label.count <= end else { return }
      marks[column] = "┬"
      labels.replaceSubrange(start..<(start + label.count), with: label)
      free = start + label.count + 2
    }
    put(from, at: 0, marking: 0)
    let (first, last) = (free, columns - unit.labelWidth)
    put(to, at: last, marking: columns - 1)
    if free > columns { end = last - 2 }
    free = first
    for time in times(unit) { put(time, at: dot(time) / Braille.across, marking: dot(time) / Braille.across) }
    return (String(marks), TerminalText.trimmed(String(labels)))
  }

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

  private var unit: Unit {
    let fitting = Self.units.first { unit in (to - from) / unit.seconds < Int64(columns / (unit.labelWidth + 2)) }
    return fitting ?? Self.units[Self.units.count - 1]
  }

  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

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
