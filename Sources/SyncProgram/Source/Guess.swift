/// Words that people type instead of the ones that commands declare, such as old names.
///
/// Cases of letters do not count, and neither does a plural for one command's singular: neither needs a guess.
package enum Guess: Sendable {
  /// A word that stands for these words wherever the first of them is a subcommand.
  case word(String, means: [String])
  /// Words from the first one on that stand for others, if the words that follow permit it.
  case path([String], before: @Sendable ([String]) -> Bool = { _ in true }, means: [String])
  /// The words after a command that name none of its subcommands are arguments of this subcommand.
  case arguments(of: [String], where: @Sendable (String) -> Bool = { _ in true })
  /// The old name of an option, below a command.
  case option(String, below: [String], means: String)
  /// An option of a command that is another command now. A value becomes that command's first argument.
  case command(option: String, of: [String], hasValue: Bool, means: [String])
  /// A word that may mean these commands, which the hint names. None of them is run, because they write or differ.
  case intent(String, [String])
  /// Command lines that begin with no command, or end with an option that the command lacks, and a hint.
  case advice([String], String)

  static let shared: [Guess] =
    words.flatMap { typed, means in typed.split(separator: " ").map { Guess.word(String($0), means: means) } }
    + intents.flatMap { typed, meant in typed.split(separator: " ").map { Guess.intent(String($0), meant) } }
    + others

  private static let others: [Guess] = [
    .arguments(of: ["runs", "show"], where: { $0.allSatisfy { $0.isHexDigit || $0 == "-" } }),
    .option("--by", below: ["rankings"], means: "--sort"), .path(["worker", "start"], means: ["worker"]),
    .path(["runs", "errors"], means: ["runs", "--failed"]), .path(["run", "show"], means: ["runs", "show"]),
    .path(["run", "list"], means: ["runs"]), .path(["run", "failed"], means: ["runs", "--failed"]),
    .advice(
      ["stop", "kill", "restart", "worker stop"],
      "end syncctl worker with Ctrl-C or SIGTERM; syncctl db stop stops the database"),
    .advice(["run -n", "run --limit"], "did you mean syncctl runs --limit 5, or syncctl run --max-pages 5?"),
  ]

  /// The kinds of favorites without their source.
  static var favorites: [Guess] {
    Registry.sources.flatMap { source in
      source.favorites.kinds.flatMap { kind in
        ["add", "remove"].map { Guess.path(["favorites", $0, kind], means: ["favorites", $0, source.name, kind]) }
      }
    }
  }

  private static let words: [(String, [String])] = [
    ("schedule", ["worker"]), ("top", ["rankings"]), ("fav favs favourite favourites", ["favorites"]),
    ("stats", ["status"]), ("log logs", ["runs"]), ("sql psql", ["db", "psql"]), ("database", ["db"]),
    ("settings", ["config"]), ("ls", ["list"]), ("rm del delete", ["remove"]), ("find", ["search"]),
    ("get view info", ["show"]),
  ]

  private static let intents: [(String, [String])] = [
    ("sync fetch pull update download mirror refresh", ["run"]), ("start", ["worker", "db start"]),
    ("daemon serve watch cron scheduler", ["worker"]), ("history", ["runs"]),
    ("errors failed", ["runs --failed", "status --failed"]),
    ("list ls", ["status", "favorites list"]), ("rm del delete", ["favorites remove"]), ("setup", ["init"]),
    ("configure", ["init", "config"]), ("check", ["doctor", "verify"]), ("ping test", ["doctor"]),
    ("query", ["report", "db psql"]), ("dump", ["db backup"]), ("queue ps", ["jobs"]),
  ]
}
