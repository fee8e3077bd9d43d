import SyncCore
import SyncPostgres
import SyncWeb

/// The latest runs of a job, or of a source's commands, as a row of squares from the oldest to the newest.
struct RunStrip: Sendable, Equatable {
  /// The outcome of a run, from the best to the worst. The raw value is a class of the stylesheet.
  enum Outcome: String, Sendable, Comparable, CaseIterable {
    case well, running, doubtful, failed, held

    /// - Parameter status: A status of `sync.run`, or a state or outcome of `sync.job_run`.
    init(_ status: String, isHeld: Bool) {
      self =
        switch status {
        case _ where isHeld: .held
        case "complete", "unproven", "done": .well
        case "running", "waiting": .running
        case "partial", "inconsistent", "interrupted": .doubtful
        default: .failed
        }
    }

    static func < (one: Outcome, other: Outcome) -> Bool {
      let all = allCases
      return (all.firstIndex(of: one) ?? 0) < (all.firstIndex(of: other) ?? 0)
    }
  }

  /// A run, which can be a command or a job with many streams.
  struct Square: Sendable, Equatable {
    var outcome: Outcome
    /// The word for the outcome, such as `failed`.
    var word: String
    let startedAt: String?
    /// The id of the run or of its command; `nil` without streams.
    let run: String?
  }

  let name: String
  /// The path of the page with all these runs.
  let path: String
  let squares: [Square]

  /// Returns a strip for each job.
  /// - Parameter rows: The rows of `recent_job_runs.sql`.
  static func jobs(_ rows: RowSet) -> [RunStrip] {
    rows.namedRows.gathered { $0["job"] ?? "" }.map { runs in
      let name = runs[0]["job"] ?? ""
      let squares = runs.map { square($0, word: $0["status"] ?? "") }
      return RunStrip(name: name, path: WebPath("/runs").with("job", name).text, squares: squares.reversed())
    }
  }

  /// Returns a strip for each source, whose squares are commands. A command has the worst outcome of its streams.
  /// - Parameters:
  ///   - rows: The rows of `recent_runs.sql`, the latest first.
  ///   - most: The largest number of squares.
  static func sources(_ rows: RowSet, most: Int) -> [RunStrip] {
    rows.namedRows.gathered { $0["source"] ?? "" }.map { runs in
      let name = runs[0]["source"] ?? ""
      let commands = runs.gathered { $0["run_id"] ?? "" }.prefix(most).map { streams -> Square in
        let squares = streams.map { square($0, word: $0["status"] ?? "") }
        return squares.max { $0.outcome < $1.outcome } ?? squares[0]
      }
      return RunStrip(name: name, path: WebPath("/runs").with("source", name).text, squares: commands.reversed())
    }.sorted { $0.name < $1.name }
  }

  private static func square(_ row: NamedRow, word: String) -> Square {
    let isHeld = row.isTrue("held")
    return Square(
      outcome: Outcome(word, isHeld: isHeld), word: isHeld ? "held" : word, startedAt: row["started_at"],
      run: row["run_id"])
  }

  /// The sentence beside the squares, such as `18 of 20 well, the latest 3 h ago: failed`.
  /// - Parameter now: Seconds since 1970.
  func summary(now: Int64) -> String {
    let count = squares.count { $0.outcome == .well }
    let all = count == squares.count ? "all \(HumanFormat.count(count)) well" : "\(count) of \(squares.count) well"
    guard let last = squares.last else { return "no run" }
    let age = last.startedAt.flatMap(Timestamp.seconds).map { " \(HumanFormat.age(of: $0, now: now))" } ?? ""
    return "\(all), the latest\(age): \(last.word)"
  }

  /// Returns one element of the list `strips` for the partial `shared/strips`. Only squares of runs that did not end
  /// well are links, so that a keyboard reaches the problems with few keys.
  func value(now: Int64) -> WebValue {
    let squares = squares.map { square -> WebValue in
      let age = square.startedAt.flatMap(Timestamp.seconds).map { ", \(HumanFormat.age(of: $0, now: now))" } ?? ""
      return .object(of: [
        "squareClass": .text(square.outcome.rawValue), "squareText": .text("\(square.word)\(age)"),
        "squarePath": square.outcome == .well ? nil : square.run.map { .text("/runs/\($0)") },
      ])
    }
    return .object([
      "stripName": .text(name), "stripPath": .text(path), "squares": .list(squares),
      "stripText": .text(summary(now: now)),
    ])
  }
}
