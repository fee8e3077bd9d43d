/// A likely first attempt at a command line, such as an old name, and its meaning.
///
/// Letter case is ignored, and a command's plural is accepted for its singular; neither needs a guess.
package enum Guess: Sendable {
  /// A word with the meaning `means`, wherever the first word of `means` is a subcommand.
  case word(String, means: [String])
  /// The first words of a command line with the meaning `means`, if `before` accepts the words that follow.
  case path([String], before: @Sendable ([String]) -> Bool = { _ in true }, means: [String])
  /// Arguments of the last command in `of`, written without its name. `where` decides whether the words are such
  /// arguments. A command that is `onlyNamed`, because it queries a service, is named in a hint and not run.
  case arguments(of: [String], onlyNamed: Bool = false, where: @Sendable (String) -> Bool = { _ in true })
  /// An old option name, below a command.
  case option(String, below: [String], means: String)
  /// An option that is now a command. The option's value becomes the command's first argument.
  case command(option: String, of: [String], hasValue: Bool, means: [String])
  /// A word that might mean one of these commands. The hint lists them; none is run, because they write or differ.
  case intent(String, [String])
  /// Command lines that begin with an unknown command or end with an unknown option, and a hint.
  case advice([String], String)

  static let shared: [Guess] =
    words.flatMap { typed, means in typed.split(separator: " ").map { Guess.word(String($0), means: means) } }
    + intents.flatMap { typed, meant in typed.split(separator: " ").map { Guess.intent(String($0), meant) } }
    + paths + others

  private static let others: [Guess] = [
    .arguments(of: ["runs", "show"], where: { $0.allSatisfy { $0.isHexDigit || $0 == "-" } }),
    .arguments(of: ["rankings", "--limit"], where: { $0.count <= 3 && Int($0) != nil }),
    .option("--by", below: ["rankings"], means: "--sort"),
    .advice(
      ["stop", "kill", "worker stop"], "end syncctl worker with Ctrl-C or SIGTERM; syncctl db stop stops the database"),
    .advice(
      ["restart", "worker restart"],
      "end syncctl worker with Ctrl-C or SIGTERM, and start it again; for the database: syncctl db stop, db start"),
    .advice(
      ["quit", "exit"], "every command ends by itself, and a worker with Ctrl-C; syncctl help exit lists exit statuses"),
    .advice(
      ["clean", "cleanup", "prune", "purge", "gc"],
      "runs and workers delete old rows by the settings retention.*, which syncctl config lists"),
    .advice(
      ["confirm", "approve"],
      "syncctl status names the command of each held stream, such as syncctl run --stream NAME --confirm-vanish ID"),
    .advice(["run -n", "run --limit"], "did you mean syncctl runs --limit 5, or syncctl run --max-pages 5?"),
  ]

  /// Favorite kinds without their source.
  static var favorites: [Guess] {
    Registry.sources.flatMap { source in
      source.favorites.kinds.flatMap { kind in
        ["add", "remove"].map { Guess.path(["favorites", $0, kind], means: ["favorites", $0, source.name, kind]) }
      }
    }
  }

  private static let paths: [Guess] = meanings.flatMap { (typed: [String], means: [String]) -> [Guess] in
    typed.map { (line: String) -> Guess in .path(line.split(separator: " ").map(String.init), means: means) }
  }

  private static let meanings: [([String], [String])] = [
    (["worker start"], ["worker"]), (["worker status", "worker jobs"], ["jobs"]),
    (["runs errors", "run failed"], ["runs", "--failed"]), (["run list"], ["runs"]),
    (["run show", "run last", "runs last", "runs latest"], ["runs", "show"]),
    (["runs today"], ["runs", "--since", "24h"]), (["jobs run", "jobs start"], ["jobs", "trigger"]),
    (["config show", "config list"], ["config"]),
  ]

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
    ("retry rerun", ["run", "jobs trigger"]), ("last latest", ["runs show"]),
  ]
}
