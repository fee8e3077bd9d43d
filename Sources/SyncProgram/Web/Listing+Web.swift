import Foundation
import SyncPostgres
package import SyncWeb

extension Listing {
  /// The cells of a row by the keys of their columns.
  package typealias WebRow = [String: Cell]

  /// Returns the values of the partial `shared/table`, without the hidden columns.
  ///
  /// - Parameters:
  ///   - path: Returns the path that a cell links to, from the column's key and the row.
  ///   - heart: Returns the form of a row (`WebRequest.heart`).
  package func webTable(
    _ caption: String, path: (_ key: String, WebRow) -> String? = { _, _ in nil },
    heart: (WebRow) -> WebValue? = { _ in nil }
  ) -> WebValue {
    let form = form(in: .table)
    let columns = form.columns
    let rows = form.rows
    let (shownColumns, trailing) = form.measure()
    let isNumber = columns.indices.map(trailing.contains)
    let options = RenderingOptions(now: Int64(Date().timeIntervalSince1970))
    let hearts = rows.map { heart(form.named($0)) }
    let lines = zip(rows, hearts).map { row, heart -> WebValue in
      let named = form.named(row)
      let cells = shownColumns.map { index -> WebValue in
        let (cell, column) = (row[index], columns[index])
        return .object(of: [
          "cellText": .text(form.text(cell, column, options)), "cellTitle": .text(column.title),
          "cellTime": cell.time.map { .text($0) }, "cellPath": path(column.key, named).map { .text($0) },
          "isNumber": .flag(isNumber[index]),
        ])
      }
      return .object(of: ["cells": .list(cells), "rowHeart": heart])
    }
    let heads = shownColumns.map { index -> WebValue in
      .object(["heading": .text(columns[index].title), "isNumber": .flag(isNumber[index])])
    }
    return .object(of: [
      "caption": .text(caption), "heads": .list(heads), "rows": .list(lines), "hasRows": .flag(!rows.isEmpty),
      "emptyMessage": .text(emptyMessage), "hasHearts": .flag(hearts.contains { $0 != nil }),
    ])
  }

  private func named(_ row: [Cell]) -> WebRow {
    Dictionary(zip(columns.map(\.key), row), uniquingKeysWith: { first, _ in first })
  }
}

extension Cell {
  package var string: String? { if case .text(let text) = self { text } else { nil } }

  package var integer: Int64? { if case .int(let value) = self { value } else { nil } }

  fileprivate var time: String? { if case .time(let text) = self { text } else { nil } }
}
