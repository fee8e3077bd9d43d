import SyncCore

struct AttentionLine: Sendable, Equatable {
  let subject: String
  var text: String
  var action: String?
  var code = SyncError.Code.missing
  var isGrave = true
  /// The number of streams that the line is about, if `subject` is a source; else 1.
  var streams = 1
  /// The job that reads the stream; `nil` without one.
  var job: String?

  var name: String { streams > 1 ? "\(HumanFormat.count(streams)) streams of \(subject)" : subject }

  static func lines(_ all: [AttentionLine], width: Int) -> [StyledLine] {
    let widest = all.map { TerminalText.displayWidth(TerminalText.safe($0.subject)) }.max() ?? 0
    return all.flatMap { $0.lines(label: min(widest, 32), width) }
  }

  private func lines(label: Int, _ width: Int) -> [StyledLine] {
    let subject = TerminalText.truncate(TerminalText.safe(subject), to: label)
    var lines = TextLayout.labelled(subject, labelWidth: label, width: width - 2) { TextLayout.advice(text, to: $0) }
    let last = lines.count - 1
    if let action = action.map(TerminalText.safe) {
      let arrow = "  \(Glyphs.shown("→")) "
      if TerminalText.displayWidth(lines[last] + arrow + action) + 2 <= width {
        lines[last] += arrow + action
      } else {
        // A long command is broken only before options, with backslashes, so that users can copy it.
        let isShort = TerminalText.displayWidth(action) + 6 <= width
        let parts = isShort ? [action] : CommandLineText.command(action, to: width - 10)
        lines += parts.enumerated().map { ($0 == 0 ? arrow : "      ") + $1 }
      }
    }
    let mark = StyledLine.Span(text: (isGrave ? Glyphs.shown("✗ ") : "! ") + subject, style: isGrave ? .red : .yellow)
    let first = StyledLine([mark, StyledLine.Span(text: String(lines[0].dropFirst(subject.count)))])
    return [first] + lines.dropFirst().map { StyledLine("  \($0)") }
  }
}
