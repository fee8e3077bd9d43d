import Foundation
package import SyncPostgres
package import SyncWeb

extension HistoryPlot {
  /// Returns the values of the partial `shared/steps`; `nil` without steps. Lines have gaps when no value is known. A
  /// value that never changed is a number with a sentence.
  package func webValue(_ caption: String) -> WebValue? { plot.webValue(caption) }
}

extension StepPlot {
  /// The values of the partial `shared/steps`; `nil` without steps.
  func webValue(_ caption: String) -> WebValue? {
    guard let span else { return nil }
    let axis = TimeAxis(from: span.from, to: span.to, columns: Self.columns)
    let panels = drawn.map { panel -> WebValue in
      let plot = panel.low < panel.high
      return .object(of: [
        "panelTitle": .text(panel.title), "plot": plot ? panel.plot(from: span.from, to: span.to) : nil,
        "constant": plot ? nil : panel.constant(until: span.to),
      ])
    }
    return .object([
      "stepsCaption": .text(caption), "panels": .list(panels), "times": .list(Self.times(axis)),
    ])
  }

  /// The number of characters below the narrowest plot.
  private static let columns = 60

  /// The labels below a plot: the first and the last time, and round times with enough space between them.
  private static func times(_ axis: TimeAxis) -> [WebValue] {
    func place(_ time: Int64) -> Double { Double(time - axis.from) / Double(axis.to - axis.from) * 100 }
    // Days and hours have short labels, because the first and the last label have the year.
    let round = axis.roundTimes.map { time in
      (
        place: place(time.time), text: String(time.label.count >= 10 ? time.label.suffix(5) : time.label[...]),
        anchor: "middle"
      )
    }.filter { (30...70).contains($0.place) }
    let all =
      [(place: 0.0, text: PlotText.day(axis.from), anchor: "start")] + round
      + [(place: 100.0, text: PlotText.day(axis.to), anchor: "end")]
    return all.map { time in
      .object(["timePlace": PlotText.value(time.place), "timeText": .text(time.text), "timeAnchor": .text(time.anchor)])
    }
  }
}

/// The texts of plots.
private enum PlotText {
  /// Returns the day of a time in seconds since 1970, in UTC.
  static func day(_ time: Int64) -> String {
    String(Date(timeIntervalSince1970: Double(time)).formatted(.iso8601).prefix(10))
  }

  static func value(_ value: Double) -> WebValue { .text(WebPlot.number(value)) }
}

extension StepPlot.Panel {
  /// The empty part above and below the lines, in percent of the lines' height. The template's `viewBox` has the same.
  private static let margin = 10.0
  private static let mostTicks = 4
  private static let mostLabels = 6
  /// The smallest distance of two labelled changes, in percent of the width.
  private static let labelDistance = 14.0

  /// The vertical place of a value in percent of the plot's height.
  private func place(_ value: Double) -> Double {
    (share(value) * 100 + Self.margin) / (100 + 2 * Self.margin) * 100
  }

  fileprivate func plot(from: Int64, to: Int64) -> WebValue {
    let ticks = WebPlot.ticks(from: low, to: high, most: Self.mostTicks, unit: unit).map { value -> WebValue in
      .object(["tickPlace": PlotText.value(place(value)), "tickText": .text(text(value))])
    }
    let changes = labelled(from: from, to: to).map { change -> WebValue in
      .object([
        "changePlace": PlotText.value(change.place), "changeHeight": PlotText.value(place(change.value)),
        "changeText": .text(text(change.value)), "changeAnchor": .text(WebPlot.anchor(at: change.place)),
      ])
    }
    return .object([
      "plotText": .text(description(from: from, to: to)), "plotPath": .text(path(from: from, to: to)),
      "ticks": .list(ticks), "changes": .list(changes),
    ])
  }

  /// The values with a label: the last, the largest and the smallest, and others with enough space.
  func labelled(from: Int64, to: Int64) -> [(place: Double, value: Double)] {
    func place(_ time: Int64) -> Double { Double(time - from) / Double(max(1, to - from)) * 100 }
    var changes: [(place: Double, value: Double)] = []
    for step in steps where changes.last?.value != step.value { changes.append((place(step.from), step.value)) }
    let last = changes.last.map { (place: place(steps.last?.to ?? to), value: $0.value) }
    let extremes = [changes.first { $0.value == low }, changes.first { $0.value == high }].compactMap(\.self)
    var chosen: [(place: Double, value: Double)] = []
    // The last value has its label at the end, and not also where it began.
    let others = (extremes + changes).filter { $0.value != last?.value }
    for change in [last].compactMap(\.self) + others where chosen.count < Self.mostLabels {
      let isFree = chosen.allSatisfy { ($0.place - change.place).magnitude >= Self.labelDistance }
      if isFree { chosen.append(change) }
    }
    return chosen
  }

  /// The sentence for readers who cannot see the plot.
  private func description(from: Int64, to: Int64) -> String {
    let values = steps.map(\.value)
    let changes = zip(values, values.dropFirst()).count { $0 != $1 }
    let ends = [values.first, values.last].map { $0.map(text) ?? "" }
    return "\(title) from \(PlotText.day(from)) to \(PlotText.day(to)): first \(ends[0]), last \(ends[1]), between "
      + "\(text(low)) and \(text(high)), \(HumanFormat.counted(changes, "change"))"
  }

  fileprivate func constant(until end: Int64) -> WebValue? {
    guard let first = steps.first, let last = steps.last else { return nil }
    let time =
      last.to < end
      ? "from \(PlotText.day(first.from)) to \(PlotText.day(last.to))" : "since \(PlotText.day(first.from))"
    return .object([
      "constantValue": .text(text(first.value)), "constantText": .text("The \(title) has not changed \(time)."),
    ])
  }

  func path(from: Int64, to: Int64) -> String {
    func x(_ time: Int64) -> String { WebPlot.number(Double(time - from) / Double(to - from) * 1000) }
    let share = share
    var path = ""
    var end: Int64?
    for step in steps {
      let y = WebPlot.number(share(step.value) * 100)
      let isJoined = end.map { $0 >= step.from } ?? false
      path += (isJoined ? "V\(y)" : "M\(x(step.from)) \(y)") + "H\(x(step.to))"
      end = step.to
    }
    return path
  }
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
