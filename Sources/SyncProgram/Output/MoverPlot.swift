/// A plot of the entries that have moved in a ranking, with a bar for each change.
///
/// Each section has a heading with its total, which can exceed the number of the section's rows.
package struct MoverPlot {
  package static let sections = ["climbed", "fell", "new", "left", unread]
  /// The section of entries that the last walk did not read. Such an entry has not moved.
  package static let unread = "not read"

  struct Mover: Equatable {
    var title: String
    /// `nil` if the entry left the list or is below the recorded positions.
    var position: Int?
    /// `nil` if the entry is new, or was below the recorded positions.
    var previous: Int?
    var section: String?

    var change: Int? {
      guard let position, let previous else { return nil }
      return previous - position
    }
  }

  var movers: [Mover]
  var totals: [String: Int] = [:]

  private static let narrowestTitle = 12
  private static let widestTitle = 40
  private static let usualSide = 10
  private static let narrowestSide = 4
  private static let widestSide = 30

  /// Returns the lines of the plot for a terminal of `width` columns. Empty without entries.
  package func lines(width: Int) -> [StyledLine] {
    if movers.isEmpty { return [] }
    let was = column("was", movers.map { $0.previous.map(HumanFormat.count) ?? Glyphs.shown("–") })
    let now = column("#", movers.map { $0.position.map(HumanFormat.count) ?? Glyphs.shown("–") })
    let words = column("", movers.map(Self.word))

    let most = Self.scale(movers.compactMap { $0.change.map { Int($0.magnitude) } })
    let titles = movers.map { TerminalText.safe($0.title) }

    let natural = max(5, titles.map { TerminalText.displayWidth($0) }.max() ?? 0)
    let room = width - (was.width + now.width + words.width + 2 * 4 + 1)
    let title = max(Self.narrowestTitle, min(natural, Self.widestTitle, room - 2 * Self.usualSide))
    let side = max(Self.narrowestSide, min(Self.widestSide, (room - title) / 2))

    func start(_ index: Int?, _ name: String) -> String {
      let numbers = [was, now].map { $0.cell(index) }.joined(separator: "  ")
      return "\(numbers)  \(TerminalText.pad(TerminalText.truncate(name, to: title), to: title))  "
    }

    let rows = ([nil] + Self.sections).flatMap { section -> [StyledLine] in
      let lines = movers.indices.filter { movers[$0].section == section }.map { index in
        StyledLine(
          [.init(text: start(index, titles[index]))] + Self.bar(movers[index].change ?? 0, of: most, side: side)
            + [.init(text: "  " + words.cell(index))])
      }

      guard let section else { return lines }
      let total = totals[section] ?? lines.count
      return total == 0 ? [] : [StyledLine("\(section) (\(HumanFormat.count(total)))", .bold)] + lines
    }

    let margin = String(repeating: " ", count: was.width + now.width + title + 2 * 3)
    return [StyledLine(TerminalText.trimmed(start(nil, "title")), .bold)] + rows
      + Self.axis(most, side: side).map { StyledLine(margin + $0, .dim) }
  }

  static func word(_ mover: Mover) -> String {
    if mover.section == unread { return unread }
    switch (mover.previous, mover.position) {
    case (nil, _): return mover.section == "climbed" ? "climbed" : "entered"
    case (_, nil): return mover.section == "fell" ? "fell" : "left"
    default:
      let change = mover.change ?? 0
      return (change > 0 ? "+" : "") + HumanFormat.count(change)
    }
  }

  /// Returns the change that a full bar represents. This is the largest change, unless it is more than twice the 90th
  /// percentile. In this case, the 90th percentile is returned, because the other bars would be too short to compare.
  static func scale(_ changes: [Int]) -> Int {
    let sorted = changes.sorted()
    guard let largest = sorted.last else { return 1 }
    let usual = max(1, sorted[(sorted.count - 1) * 9 / 10])
    return largest / 2 > usual ? usual : max(1, largest)
  }

  private static func bar(_ change: Int, of most: Int, side: Int) -> [StyledLine.Span] {
    let isCut = change.magnitude > most
    let halves = change == 0 ? 0 : max(1, min(Int(change.magnitude), most) * side * 2 / most)
    let full = String(repeating: "█", count: halves / 2 - (isCut ? 1 : 0))
    let isOdd = !halves.isMultiple(of: 2)
    let empty = String(repeating: " ", count: side)
    if change > 0 {
      let text = TerminalText.pad(Glyphs.shown(full + (isCut ? "»" : isOdd ? "▌" : "")), to: side)
      return [.init(text: empty), .init(text: Glyphs.shown("│"), style: .dim), .init(text: text, style: .green)]
    }
    let text = TerminalText.pad(Glyphs.shown((isCut ? "«" : isOdd ? "▐" : "") + full), to: side, trailing: true)
    return [.init(text: text, style: .red), .init(text: Glyphs.shown("│"), style: .dim), .init(text: empty)]
  }

  private static func axis(_ most: Int, side: Int) -> [String] {
    let line = String(repeating: "─", count: side)
    let (down, up) = ("-" + HumanFormat.count(most), "+" + HumanFormat.count(most))
    let left = TerminalText.pad(down, to: side)
    let right = TerminalText.pad(up, to: side, trailing: true)
    return [Glyphs.shown("\(line)┴\(line)"), left + "0" + right]
  }

  private struct TextColumn {
    let title: String
    let texts: [String]
    let width: Int

    func cell(_ index: Int?) -> String { TerminalText.pad(index.map { texts[$0] } ?? title, to: width, trailing: true) }
  }

  private func column(_ title: String, _ texts: [String]) -> TextColumn {
    TextColumn(title: title, texts: texts, width: (texts + [title]).map { TerminalText.displayWidth($0) }.max() ?? 0)
  }
}
