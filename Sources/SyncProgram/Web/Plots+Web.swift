import Foundation
package import SyncWeb

extension HistoryPlot {
  /// The values of the partial `shared/steps`; `nil` without steps. Lines have gaps when no value is known.
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
  package typealias Mark = (text: String, isClimb: Bool)

  package var marks: [Mark] {
    movers.map { mover in
      let text = mover.change.map { "\($0 > 0 ? "▲" : "▼") \(HumanFormat.count(Int($0.magnitude)))" }
      return (text ?? Self.word(mover), ["climbed", "new"].contains(mover.section))
    }
  }
}
