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
  ///   - heart: Returns the form of a row (`WebRequest.heart`). The browser returns to this row.
  ///   - actions: Returns the links to the operations of a row, for a last column.
  package func webTable(
    _ caption: String, path: (_ key: String, WebRow) -> String? = { _, _ in nil },
    heart: (WebRow) -> WebValue? = { _ in nil },
    actions: (WebRow) -> [(text: String, path: String)] = { _ in [] }
  ) -> WebValue {
    let form = form(in: .table)
    let columns = form.columns
    let rows = form.rows
    let (shownColumns, trailing) = form.measure()
    let isNumber = columns.indices.map(trailing.contains)
    let options = RenderingOptions(now: Int64(Date().timeIntervalSince1970))
    let lead = shownColumns.first { Self.leads.contains(columns[$0].key) } ?? shownColumns.first
    let hearts = rows.map { heart(form.named($0)) }
    let operations = rows.map { actions(form.named($0)) }
    let hasActions = operations.contains { !$0.isEmpty }
    var anchors: [WebValue] = []
    let lines = zip(zip(rows, operations), hearts).map { pair, heart -> WebValue in
      let (row, operations) = pair
      let named = form.named(row)
      let cells = shownColumns.map { index -> WebValue in
        let (cell, column) = (row[index], columns[index])
        let text = form.text(cell, column, options)
        return .object(of: [
          "cellText": .text(text), "cellTitle": .text(column.title), "isLong": .flag(Self.hasLongWord(text)),
          "isEmpty": .flag(cell == .null), "isLead": .flag(index == lead),
          "outcome": .text(orNil: Self.outcomes.contains(column.key) ? Self.outcome(text) : nil),
          "cellTime": cell.time.map { .text($0) }, "cellPath": path(column.key, named).map { .text($0) },
          "isNumber": .flag(isNumber[index]),
        ])
      }
      var anchor: WebValue?
      // An item can be in several collections, but an id is unique.
      if case .object(let members)? = heart, let id = members["anchor"], !anchors.contains(id) {
        anchor = id
        anchors.append(id)
      }
      return .object(of: [
        "cells": .list(cells), "rowHeart": heart, "rowAnchor": anchor, "rowActions": .actions(operations),
      ])
    }
    let heads = shownColumns.map { index -> WebValue in
      .object(["heading": .text(columns[index].title), "isNumber": .flag(isNumber[index])])
    }
    return .object(of: [
      "caption": .text(caption), "heads": .list(heads), "rows": .list(lines), "hasRows": .flag(!rows.isEmpty),
      "emptyMessage": .text(emptyMessage), "hasHearts": .flag(hearts.contains { $0 != nil }),
      "hasActions": .flag(hasActions),
    ])
  }

  /// The columns that name a row. On phones, the first of them is the row's title.
  private static let leads: Set = ["title", "name", "stream", "job", "item", "artist", "studio", "report"]

  /// The columns whose words say how something ended.
  private static let outcomes: Set = ["status", "state", "last_run"]

  /// Returns the class of the stylesheet for a word that says how something ended; `nil` for a good or another word.
  private static func outcome(_ word: String) -> String? {
    switch word {
    case "failed", "held", "late", "never complete": "bad"
    case "partial", "inconsistent", "interrupted": "warn"
    default: nil
    }
  }

  /// The list `facts` for the partial `shared/facts`, from a listing with the columns of `turned`.
  var webFacts: WebValue {
    let form = form(in: .table)
    let options = RenderingOptions()
    return .facts(
      form.rows.map { row in
        let texts = zip(row, form.columns).map { form.text($0, $1, options) }
        return (label: texts[0], text: texts[1])
      })
  }

  /// Whether a text has a word that is too long for a column, such as an address. Only such words are broken inside.
  static func hasLongWord(_ text: String) -> Bool {
    text.utf8.count > longestWord
      && text.split(whereSeparator: { $0.isWhitespace || $0 == "-" || $0 == "/" }).contains { $0.count > longestWord }
  }

  private static let longestWord = 24

  private func named(_ row: [Cell]) -> WebRow {
    Dictionary(zip(columns.map(\.key), row), uniquingKeysWith: { first, _ in first })
  }
}

extension Cell {
  package var string: String? { if case .text(let text) = self { text } else { nil } }

  package var integer: Int64? { if case .int(let value) = self { value } else { nil } }

  fileprivate var time: String? { if case .time(let text) = self { text } else { nil } }
}
