import SyncCore

/// What needs attention: a subject, what is wrong with it, and the command that helps.
struct AttentionLine: Sendable, Equatable {
  let subject: String
  let text: String
  let action: String?
  /// The kind of trouble, for the exit status of a command that reports it.
  let code: SyncError.Code
  /// Whether it does not pass by itself.
  let isGrave: Bool

  init(_ subject: String, _ text: String, action: String? = nil, code: SyncError.Code = .missing, isGrave: Bool) {
    (self.subject, self.text, self.action, self.code, self.isGrave) = (subject, text, action, code, isGrave)
  }

  private static let widestSubject = 32

  static func lines(_ all: [AttentionLine], width: Int) -> [StyledLine] {
    let widest = all.map { TerminalText.displayWidth(TerminalText.safe($0.subject)) }.max() ?? 0
    return all.flatMap { $0.lines(label: min(widest, widestSubject), width) }
  }

  private func lines(label: Int, _ width: Int) -> [StyledLine] {
    let subject = TerminalText.truncate(TerminalText.safe(subject), to: label)
    var lines = TextLayout.labelled(subject, labelWidth: label, width: width - 2) { TextLayout.wrap(text, to: $0) }
    if let action {
      // Never broken: it is there to be copied.
      let arrow = "  → \(TerminalText.safe(action))"
      if TerminalText.displayWidth(lines[lines.count - 1] + arrow) + 2 <= width {
        lines[lines.count - 1] += arrow
      } else {
        lines.append(arrow)
      }
    }
    let (mark, style): (String, TextStyle) = isGrave ? ("✗ ", .red) : ("! ", .yellow)
    let first = StyledLine([
      StyledLine.Span(text: mark + subject, style: style),
      StyledLine.Span(text: String(lines[0].dropFirst(subject.count))),
    ])
    return [first] + lines.dropFirst().map { StyledLine("  \($0)") }
  }
}
