import Foundation
import SyncPostgres
import Testing

@testable import JikanSource
@testable import SyncProgram

@Suite struct PlotTests {
  private static let day: Int64 = 86_400
  /// 2026-11-01 at midnight UTC.
  private static let start: Int64 = 1_793_491_200

  private static func steps(_ values: [Double?]) -> [StepPlot.Step] {
    zip(Int64(0)..., values).compactMap { index, value in
      value.map { .init(from: start + index * day, to: start + (index + 1) * day, value: $0) }
    }
  }

  private static func text(_ lines: [StyledLine]) -> String {
    lines.map { TerminalText.trimmed($0.text) }.joined(separator: "\n")
  }

  @Test("the first place is at the top, a gap stays a gap, and the axes have the values and days")
  func steps() {
    let panel = StepPlot.Panel(title: "position", steps: Self.steps([3, 3, 1, nil, 2, 3]), isInverted: true, height: 3)
    #expect(
      Self.text(StepPlot(panels: [panel]).lines(width: 34)) == """
        position
        1 ┤          ⡏⠉⠉⠉⠉⠉
          │          ⡇         ⠠⠤⠤⠤⠤⢤
        3 ┤⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⡇              ⢸⣀⣀⣀⣀⣀
          └┬─────────────────────────────┬
           2026-11-01           2026-11-07
        """)
  }

  @Test("a page draws the same steps and gaps, and marks the same moves")
  func pages() {
    let panel = StepPlot.Panel(title: "position", steps: Self.steps([3, 3, 1, nil, 2]), isInverted: true, height: 3)
    #expect(
      panel.path(from: Self.start, to: Self.start + 5 * Self.day)
        == "M0.0 100.0H200.0V100.0H400.0V0.0H600.0M800.0 50.0H1000.0")
    let movers = MoverPlot(movers: [
      .init(title: "a", position: 1, previous: 1_030, section: "climbed"),
      .init(title: "b", position: 3, previous: 1, section: "fell"), .init(title: "c", position: 4, section: "new"),
      .init(title: "d", previous: 5, section: "left"),
    ])
    #expect(movers.marks.map(\.text) == ["▲ 1,029", "▼ 2", "entered", "left"])
    #expect(movers.marks.map(\.isClimb) == [true, false, true, false])
  }

  @Test("what never changed is one line; nothing is drawn of nothing")
  func flat() {
    let panel = StepPlot.Panel(title: "score", steps: Self.steps([8.5, 8.5]), unit: 0.01, height: 8)
    #expect(StepPlot(panels: [panel]).lines(width: 40).count == 4)
    #expect(StepPlot(panels: [panel]).lines(width: 40)[1].text.hasPrefix("8.50 ┤"))
    #expect(StepPlot(panels: [.init(title: "x", steps: [], height: 8)]).lines(width: 40).isEmpty)
    #expect(MoverPlot(movers: []).lines(width: 40).isEmpty)
  }

  @Test("climbers to the right, those that fell to the left, by the largest change")
  func movers() {
    let plot = MoverPlot(movers: [
      .init(title: "進撃の巨人", position: 3, previous: 15), .init(title: "Trigun", position: 1_200, previous: 1_194),
      .init(title: "New", position: 7, previous: nil), .init(title: "Old", position: nil, previous: 9),
    ])
    #expect(
      Self.text(plot.lines(width: 60)) == """
          was      #  title
           15      3  進撃の巨人               │███████████      +12
        1,194  1,200  Trigun             ▐█████│                  -6
            –      7  New                      │             entered
            9      –  Old                      │                left
                                    ───────────┴───────────
                                    -12        0        +12
        """)
  }

  @Test("one outlier does not flatten the other bars: its own is cut and marked; entries are in sections")
  func outlier() {
    let movers: [MoverPlot.Mover] = [
      .init(title: "Far", position: 1, previous: 901, section: "climbed"),
      .init(title: "A", position: 2, previous: 6, section: "climbed"),
      .init(title: "B", position: 9, previous: 7, section: "fell"),
      .init(title: "Below", position: nil, previous: 5, section: "fell"),
      .init(title: "Lost", position: nil, previous: 8, section: "not read"),
    ]
    #expect(
      Self.text(MoverPlot(movers: movers, totals: ["climbed": 2_000, "new": 3]).lines(width: 60)) == """
        was  #  title
        climbed (2,000)
        901  1  Far                        │████████████»      +900
          6  2  A                          │█████████████        +4
        fell (2)
          7  9  B                   ▐██████│                     -2
          5  –  Below                      │                   fell
        new (3)
        not read (1)
          8  –  Lost                       │               not read
                              ─────────────┴─────────────
                              -4           0           +4
        """)
    #expect(MoverPlot.scale([]) == 1 && MoverPlot.scale([3, 6]) == 6 && MoverPlot.scale([1, 1, 1, 500]) == 1)
  }

  @Test("values that are no numbers, or too large for one, are not drawn")
  func noValues() {
    let columns = ["position", "valid_from", "valid_to", "score"].map { RowSet.Column(name: $0, type: .text) }
    let rows = ["NaN", "Infinity", "1e400", "-1e308", "1e308"].map { ["1", "2026-11-01T00:00:00Z", nil, $0] }
    let lines = HistoryPlot(RowSet(columns: columns, rows: rows)).lines(width: 80).map(\.text)
    #expect(lines.contains("position") && !lines.contains("score"))
  }

  @Test("counters of an entry that differ by more than a number holds have no change next to them")
  func counters() {
    let columns = ["score", "members", "before"].map { RowSet.Column(name: $0, type: .text) }
    let before = #"{"since": "2026-11-01", "score": 1, "members": -9223372036854775808}"#
    let rows = RowSet(columns: columns, rows: [["1e300", "9223372036854775807", before]])
    let lines = rows.namedRows.flatMap { MediaText(row: $0).lines(width: 80) }
    #expect(lines.contains { $0.hasSuffix("9,223,372,036,854,775,807") })
    #expect(lines.contains { $0.hasSuffix("1e300") })
  }

  @Test("no drawing is wider than the terminal or has what a terminal obeys, whatever the titles are")
  func widths() {
    let titles = ["\u{1B}[31m\u{202E}長い題名\n長い題名", String(repeating: "👨‍👩‍👧", count: 50), ""]
    let columns = ["position", "valid_from", "valid_to", "score", "title"].map { RowSet.Column(name: $0, type: .text) }
    for width in [60, 61, 80, 120, 200] {
      for title in titles {
        let movers = MoverPlot(movers: [
          .init(title: title, position: 1, previous: 30_000), .init(title: title, position: 28_000, previous: nil),
        ])
        let rows = RowSet(
          columns: columns,
          rows: [
            ["1", "2026-11-01T00:00:00Z", "2026-11-03T00:00:00.5Z", "9.12", title],
            ["30000", "2026-11-03T00:00:00.5Z", nil, nil, title],
          ])
        let history = HistoryPlot(rows, now: .init(timeIntervalSince1970: Double(Self.start + 40 * Self.day)))
        for line in movers.lines(width: width) + history.lines(width: width) {
          let safe = TerminalText.safe(line.text)
          #expect(TerminalText.displayWidth(safe) <= width, "\(width): \(safe)")
          #expect(safe == line.text)
        }
      }
    }
  }

  @Test(
    arguments: [
      (3600, "2026-11-01 00:00", "2026-11-01 01:00"), (86_400 * 3, "2026-11-01", "2026-11-04"),
      (86_400 * 300, "2026-11", "2027-08"), (86_400 * 4000, "2026", "2037"),
    ] as [(Int64, String, String)])
  func times(span: Int64, first: String, last: String) {
    let labels = TimeAxis(from: Self.start, to: Self.start + span, columns: 100).lines.labels
    #expect(labels.hasPrefix(first + " ") && labels.hasSuffix(" " + last), "\(labels)")
  }
}
