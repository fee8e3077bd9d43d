import Foundation
import SyncCore

extension DoctorCommand {
  /// The result of a check.
  struct Finding: Sendable {
    var line: AttentionLine
    /// The problem; `nil` if the check found none.
    var error: SyncError?
    /// The server of a service that has a problem.
    var server: String?
    /// Whether the check found no problem; `nil` if nothing was checked.
    var isWell: Bool?
    /// Whether the finding is on the screen without `--all`.
    var isReported = true

    init(_ subject: String, _ text: String, isWell: Bool? = true, isReported: Bool = false) {
      line = AttentionLine(subject: subject, text: text, isGrave: false)
      self.isWell = isWell
      self.isReported = isReported
    }

    init(_ line: AttentionLine) {
      self.line = line
      isWell = false
      error = SyncError(line.code, line.text, hint: line.action)
    }

    /// - Parameters:
    ///   - remark: Follows the end of the pause.
    ///   - isStored: Whether the pause is in the database. If not, no command can show or end the pause.
    init(_ subject: String, pausedFor pause: Duration, _ remark: String = "", isStored: Bool) {
      let now = Date()
      let end = HumanFormat.clock(now + pause / .seconds(1), now: now)
      self.init(
        AttentionLine(
          subject: subject, text: "paused: throttled until \(end)\(remark)", action: isStored ? "syncctl limits" : nil,
          code: .tryLater, isGrave: false))
    }

    init(_ subject: String, _ error: any Error) {
      let syncError = SyncError(known: error) ?? SyncError(.database, Excerpt.of("\(error)"))
      // Removes the advice to run `syncctl doctor`, because the user is running this command.
      let hint = syncError.hint?.replacing(#/ \(syncctl doctor\)|syncctl doctor [^;]*; /#, with: "")
      let shownError = SyncError(syncError.code, syncError.message, hint: hint)
      line = AttentionLine(subject: subject, text: shownError.description)
      self.error = shownError
      isWell = false
    }
  }

  /// The lines of the screen: the problems and remarks, and the number of the other checks.
  static func screen(_ findings: [Finding], width: Int) -> [StyledLine] {
    let reported = merged(findings.filter(\.isReported))
    let problemCount = reported.count { $0.error != nil }
    let headline =
      reported.isEmpty
      ? StyledLine("ready", .green)
      : StyledLine(problemCount == 0 ? "no problems" : HumanFormat.counted(problemCount, "problem"), .bold)
    let lines = [headline] + AttentionLine.lines(reported.map(\.line), width: width)

    let passedCount = findings.count { !$0.isReported && $0.isWell != nil }
    guard passedCount > 0 else { return lines }
    let passed = StyledLine.Span(
      text: Glyphs.shown("✓ ") + HumanFormat.counted(passedCount, "check"), style: .green)
    return lines + [StyledLine([passed, StyledLine.Span(text: "  --all lists them", style: .dim)])]
  }

  /// Returns one finding for each cause. If a service is down or paused, findings about its streams become part of the
  /// service's finding. Held streams keep their own findings.
  private static func merged(_ findings: [Finding]) -> [Finding] {
    let probes = Dictionary(
      findings.filter { $0.server != nil }.map { ($0.line.subject, $0) }, uniquingKeysWith: { first, _ in first })
    let causes = findings.gathered { finding -> [String?] in
      var line = finding.line
      if let probe = probes["upstream \(line.subject.prefix { $0 != "/" })"], let server = probe.server {
        let isPaused = probe.line.code == .tryLater
        let isSame = isPaused ? line.code == .tryLater : line.code != .guarded && line.text.contains(server)
        if isSame { line = probe.line }
      }
      return [line.text.withoutPaths, line.action, line.code == .tryLater ? line.subject : nil]
    }

    return causes.map { findings in
      if findings[0].line.code == .tryLater { return findings[0] }
      var merged = findings.first { $0.server != nil } ?? findings[0]
      let others = findings.map(\.line.name).filter { ![$0, "upstream \($0)"].contains(merged.line.name) }
      if !others.isEmpty { merged.line.text += " (also \(others.joined(separator: ", ")))" }
      if merged.line.action == nil { merged.line.action = findings.compactMap(\.line.action).first }
      return merged
    }
  }
}
