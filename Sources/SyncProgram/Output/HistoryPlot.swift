package import Foundation
package import SyncPostgres

/// A plot of an entry's positions and scores. Times when the entry was not read are gaps, because its position is then
/// unknown.
package struct HistoryPlot {
  private let title: String?
  private let positions: [StepPlot.Step]
  private let scores: [StepPlot.Step]

  private static let largest = 1e15

  /// Reads the rows of an entry's history, in the order of time.
  ///
  /// The columns `valid_from` and `valid_to` have times in UTC; a null `valid_to` means `now`. `position` and `score`
  /// have numbers; nulls are gaps. A true `unread` makes the whole row a gap. The last row's `title` or `name` becomes
  /// the heading. Absent columns read like nulls.
  package init(_ rows: RowSet, now: Date = Date()) {
    let all = rows.namedRows
    let rows = all.filter { !$0.isTrue("unread") }
    title = all.last.flatMap { $0["title"] ?? $0["name"] }
    func steps(_ column: String) -> [StepPlot.Step] {
      rows.compactMap { row in
        guard let from = row["valid_from"].flatMap(Timestamp.seconds), let value = row[column].flatMap({ Double($0) }),
          value.magnitude < Self.largest
        else { return nil }
        let to = row["valid_to"].map(Timestamp.seconds) ?? Int64(now.timeIntervalSince1970)
        return StepPlot.Step(from: from, to: max(from, to ?? from), value: value)
      }
    }
    positions = steps("position")
    scores = steps("score")
  }

  var plot: StepPlot {
    StepPlot(panels: [
      .init(title: "position", steps: positions, isInverted: true, height: 8),
      .init(title: "score", steps: scores, unit: 0.01, height: 5),
    ])
  }

  /// Returns the lines of the plot for a terminal of `width` columns, with the entry's title above.
  package func lines(width: Int) -> [StyledLine] {
    let heading = title.map { TextLayout.wrap($0, to: width).map { StyledLine($0, .bold) } + [StyledLine("")] } ?? []
    return heading + plot.lines(width: width)
  }
}

extension MoverPlot {
  /// Reads the rows of a query of movers, in the order in which they are drawn within their sections.
  ///
  /// The columns `position` and `previous_position` have whole numbers or nulls. `section` has one of `sections`; rows
  /// with another text are not drawn. The totals of headings are `rows.sectionTotals`, or else the numbers of rows.
  /// - Parameter title: The name of the column with an entry's title. A null is replaced by the column `mal_id` or
  ///   `id`.
  package init(_ rows: RowSet, title: String) {
    movers = rows.namedRows.map { row in
      Mover(
        title: row[title] ?? row["mal_id"] ?? row["id"] ?? Glyphs.shown("–"), position: row.int("position"),
        previous: row.int("previous_position"), section: row["section"])
    }
    totals = rows.sectionTotals
  }
}

extension StandardStreams {
  var plotWidth: Int { min(renderingOptions.width ?? 80, 120) }
}
