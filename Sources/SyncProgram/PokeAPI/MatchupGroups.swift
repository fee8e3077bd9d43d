/// Types grouped by the multiplier of the damage.
struct MatchupGroups: Sendable, Equatable {
  struct Group: Sendable, Equatable {
    /// As a decimal number, e.g. 0.25.
    var multiplier: String
    var names: [String]
  }

  /// The strongest first.
  let groups: [Group]

  /// - Parameter rows: multipliers as decimal numbers, and names in the order in which they are to be shown.
  init(_ rows: [(multiplier: String, name: String)]) {
    var names: [String: [String]] = [:]
    for row in rows { names[row.multiplier, default: []].append(row.name) }
    groups = names.map { Group(multiplier: $0.key, names: $0.value) }
      .sorted { (Double($0.multiplier) ?? -1) > (Double($1.multiplier) ?? -1) }
  }

  /// `4×  rock` and so on, long groups wrapped under their first name.
  ///
  /// - Parameter leavesOutUsual: leave the group out that says nothing: 1×.
  func lines(width: Int?, leavesOutUsual: Bool = false) -> [String] {
    groups.filter { !leavesOutUsual || $0.multiplier != "1" }.flatMap { group in
      TextLayout.labelled(Self.label(group.multiplier), labelWidth: 2, width: width) { room in
        TextLayout.list(group.names, to: room)
      }
    }
  }

  /// 4×, 2×, 1×, ½×, ¼×, 0×; any other number as it is.
  static func label(_ multiplier: String) -> String {
    let number =
      switch multiplier {
      case "0.5": "½"
      case "0.25": "¼"
      default: multiplier
      }
    return number + "×"
  }
}
