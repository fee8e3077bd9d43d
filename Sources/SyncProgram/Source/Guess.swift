/// Words that people type instead of the ones that commands declare, such as old names.
///
/// Cases of letters do not count, and neither does a plural for one command's singular: neither needs a guess.
package enum Guess: Sendable {
  /// A word that stands for these words wherever the first of them is a subcommand.
  case word(String, means: [String])
  /// Words from the first one on that stand for others.
  case path([String], means: [String])
  /// The words after a command that name none of its subcommands are arguments of this subcommand.
  case arguments(of: [String], where: Match = .any)
  /// The old name of an option, below a command.
  case option(String, below: [String], means: String)
  /// An option of a command that is another command now. A value becomes that command's first argument.
  case command(option: String, of: [String], hasValue: Bool, means: [String])
  /// A word that may mean these commands, which the hint names. None of them is run, because they write or differ.
  case intent(String, [String])

  package enum Match: Sendable {
    case any, number
    /// The beginning of a run's id.
    case id

    func fits(_ word: String) -> Bool {
      switch self {
      case .any: true
      case .number: Int64(word) != nil
      case .id: word.allSatisfy { $0.isHexDigit || $0 == "-" }
      }
    }
  }

  static let shared: [Guess] =
    words.map { Guess.word($0, means: $1) } + intents.map { Guess.intent($0, $1) } + [
      .arguments(of: ["runs", "show"], where: .id), .option("--by", below: ["rankings"], means: "--sort"),
    ]

  private static let words: [(String, [String])] = [
    ("schedule", ["worker"]), ("top", ["rankings"]), ("fav", ["favorites"]), ("favs", ["favorites"]),
    ("favourite", ["favorites"]), ("favourites", ["favorites"]), ("bookmarks", ["favorites"]), ("stats", ["status"]),
    ("log", ["runs"]), ("logs", ["runs"]), ("sql", ["db", "psql"]), ("psql", ["db", "psql"]), ("ls", ["list"]),
    ("rm", ["remove"]), ("del", ["remove"]), ("delete", ["remove"]), ("find", ["search"]), ("get", ["show"]),
    ("view", ["show"]), ("info", ["show"]), ("settings", ["config"]), ("database", ["db"]),
  ]

  private static let intents: [(String, [String])] = [
    ("sync", ["run"]), ("fetch", ["run"]), ("pull", ["run"]), ("update", ["run"]), ("download", ["run"]),
    ("mirror", ["run"]), ("refresh", ["run"]), ("start", ["worker", "db start"]), ("daemon", ["worker"]),
    ("serve", ["worker"]), ("watch", ["worker"]), ("cron", ["worker"]), ("scheduler", ["worker"]),
    ("history", ["runs"]), ("errors", ["runs", "status"]), ("list", ["status", "favorites list"]),
    ("ls", ["status", "favorites list"]), ("rm", ["favorites remove"]), ("delete", ["favorites remove"]),
    ("setup", ["init"]), ("configure", ["init", "config"]), ("check", ["doctor", "verify"]), ("ping", ["doctor"]),
    ("test", ["doctor"]), ("query", ["report", "db psql"]), ("dump", ["db backup"]), ("queue", ["jobs"]),
    ("ps", ["jobs"]),
  ]
}
