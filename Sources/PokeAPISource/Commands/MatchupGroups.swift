import SyncCore
import SyncProgram

struct MatchupGroups: Sendable, Equatable {
  struct Group: Sendable, Equatable {
    var multiplier: String
    var names: [String]
  }

  let groups: [Group]

  init(_ rows: [(multiplier: String, name: String)]) {
    var names: [String: [String]] = [:]
    for row in rows { names[row.multiplier, default: []].append(row.name) }
    groups = names.map { Group(multiplier: $0.key, names: $0.value) }
      .sorted { (Double($0.multiplier) ?? -1) > (Double($1.multiplier) ?? -1) }
  }

  func lines(width: Int?, leavesOutUsual: Bool = false) -> [String] {
    let labelWidth = TerminalText.displayWidth(Self.label("0.5"))
    return groups.filter { !leavesOutUsual || $0.multiplier != "1" }.flatMap { group in
      TextLayout.labelled(Self.label(group.multiplier), labelWidth: labelWidth, width: width) { room in
        TextLayout.list(group.names, to: room)
      }
    }
  }

  static func label(_ multiplier: String, isUTF8: Bool = Glyphs.areUTF8) -> String {
    let number =
      switch multiplier {
      case "0.5": "½"
      case "0.25": "¼"
      default: multiplier
      }
    return Glyphs.shown(number + "×", isUTF8: isUTF8)
  }
}

enum StatBars {
  static let highest = 255
  private static let longestBar = 51

  static func lines(_ stats: [(label: String, value: Int?)], total: Int?, width: Int?) -> [String] {
    let rows = stats + [(label: "total", value: total)]
    let labelWidth = rows.map { TerminalText.displayWidth($0.label) }.max() ?? 0
    let numbers = rows.map { $0.value.map(String.init) ?? Glyphs.shown("–") }
    let numberWidth = numbers.map { TerminalText.displayWidth($0) }.max() ?? 0
    let room = width.map { $0 - labelWidth - numberWidth - 4 } ?? longestBar
    return rows.enumerated().map { index, row in
      let text =
        TerminalText.pad(row.label, to: labelWidth) + "  "
        + TerminalText.pad(numbers[index], to: numberWidth, trailing: true)
      guard index < stats.count, let value = row.value, room >= 10 else { return text }
      let length = cells(value, of: min(room, longestBar))
      return length == 0 ? text : text + "  " + String(repeating: "#", count: length)
    }
  }

  static func cells(_ value: Int, of longest: Int) -> Int {
    guard value > 0 else { return 0 }
    return max(1, (min(value, highest) * longest + highest / 2) / highest)
  }
}
