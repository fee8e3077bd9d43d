import Foundation
package import SyncPostgres
package import SyncWeb

extension HistoryPlot {
  /// Returns the values of the partial `shared/steps`; `nil` without steps. Lines have gaps when no value is known.
  package func webValue(_ caption: String) -> WebValue? {
    let plot = plot
    guard let span = plot.span else { return nil }
    func day(_ time: Int64) -> WebValue {
      .text(String(Date(timeIntervalSince1970: Double(time)).formatted(.iso8601).prefix(10)))
    }
    return .object([
      "stepsCaption": .text(caption), "stepsFrom": day(span.from), "stepsTo": day(span.to),
      "panels": .list(
        plot.drawn.map { panel in
          .object([
            "panelTitle": .text(panel.title), "panelPath": .text(panel.path(from: span.from, to: span.to)),
            "panelTop": .text(panel.text(panel.isInverted ? panel.low : panel.high)),
            "panelBottom": .text(panel.text(panel.isInverted ? panel.high : panel.low)),
          ])
        }),
    ])
  }
}

extension StepPlot.Panel {
  func path(from: Int64, to: Int64) -> String {
    func x(_ time: Int64) -> String { Self.number(Double(time - from) / Double(to - from) * 1000) }
    let share = share
    var (path, end): (String, Int64?) = ("", nil)
    for step in steps {
      let y = Self.number(share(step.value) * 100)
      let isJoined = end.map { $0 >= step.from } ?? false
      path += (isJoined ? "V\(y)" : "M\(x(step.from)) \(y)") + "H\(x(step.to))"
      end = step.to
    }
    return path
  }

  private static func number(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}

extension MoverPlot {
  /// The text beside an entry that moved, such as `▲ 3`, and whether the entry climbed or is new.
  package typealias Mark = (text: String, isClimb: Bool)

  /// Returns the entries that moved, with their marks. Entries that the last walk did not read have not moved.
  /// - Parameters:
  ///   - rows: The rows of a query of movers, with the columns of `MoverPlot.init(_:title:)`.
  ///   - title: The column of an entry's title.
  package static func moves(_ rows: RowSet, title: String) -> [(row: NamedRow, mark: Mark)] {
    zip(rows.namedRows, MoverPlot(rows, title: title).marks)
      .filter { row, _ in row["section"] != unread }
      .map { (row: $0, mark: $1) }
  }

  /// The marks of all entries, in the order of `movers`.
  package var marks: [Mark] {
    movers.map { mover in
      let text = mover.change.map { "\($0 > 0 ? "▲" : "▼") \(HumanFormat.count(Int($0.magnitude)))" }
      return (text ?? Self.word(mover), ["climbed", "new"].contains(mover.section))
    }
  }
}

extension NamedRow {
  /// A remark for an entry whose position is from an earlier walk, because the last walk did not read the entry.
  package var unreadRemark: String? { isTrue("unread") ? "\(MoverPlot.unread), last known position" : nil }
}
