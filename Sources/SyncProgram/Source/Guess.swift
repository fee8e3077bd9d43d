/// A command line that users are likely to try first, and its meaning. Another letter case or the plural of a command's
/// name needs no guess, because both are always accepted.
package enum Guess: Sendable {
  /// Replaces `word` with `means`, if the first word of `means` is a subcommand of the command before `word`.
  case word(String, means: [String])
  /// Replaces the first words of a command line with `means`, if `before` accepts the words that follow.
  case path([String], before: @Sendable ([String]) -> Bool = { _ in true }, means: [String])
  /// Inserts the last word of the command `of` if the user omitted it and `where` accepts the next word. If `onlyNamed`
  /// is true, the command does not run, because it would query a service. A hint names it instead.
  case arguments(of: [String], onlyNamed: Bool = false, where: @Sendable (String) -> Bool = { _ in true })
  /// Replaces an option with `means`, if the command has no such option but has the first word of `means`. The word
  /// DAYS adds the unit d to a value without a unit.
  case option(String, means: String)
  /// Replaces an option that is now a command. The option's value becomes the command's first argument.
  case command(option: String, of: [String], hasValue: Bool, means: [String])
  /// A word that can mean several commands. A hint lists the commands, and none of them runs.
  case intent(String, [String])
  /// A hint for command lines that begin with an unknown command or end with an unknown option.
  case advice([String], String)

  static let shared: [Guess] =
    all(words, Guess.word) + all(intents, Guess.intent) + all(options, Guess.option) + paths + others

  private static func all<Means>(_ table: [(String, Means)], _ guess: (String, Means) -> Guess) -> [Guess] {
    table.flatMap { typed, means in typed.split(separator: " ").map { guess(String($0), means) } }
  }

  /// Commands of other programs. If a user types one of these words, no hint offers to look up the word as a name.
  static let verbs: Set<String> = Set(
    """
    abort add apply archive browse build cancel clear compare connect continue copy count create debug deploy describe \
    diff disable discover display drop edit enable exec execute explain fix flush force generate go index inspect \
    launch load lock login logout make monitor more move new next now open print push random read rebuild recover \
    reindex release reload rename replay rescan reset resync revert rollback save scan scrape select send set shell \
    skip tail trending undo unlock upload use vacuum validate wait whoami wipe write
    """.split(separator: " ").map(String.init))

  private static let others: [Guess] = [
    .path(["jobs", "show"], before: { !$0.isEmpty }, means: ["runs", "--job"]),
    .path(["jobs", "failed"], before: { $0.isEmpty }, means: ["runs", "--failed"]),
    .arguments(of: ["runs", "show"], where: { $0.allSatisfy { $0.isHexDigit || $0 == "-" } }),
    .arguments(of: ["rankings", "--limit"], where: { $0.count <= 3 && Int($0) != nil }),
    // `runs --status failed` becomes `runs failed`, which is later read as `runs --failed`.
    .command(option: "--status", of: ["runs"], hasValue: true, means: ["runs"]),
    .advice(
      ["stop", "kill", "worker stop"], "end syncctl worker with Ctrl-C or SIGTERM; syncctl db stop stops the database"),
    .advice(
      ["restart", "worker restart"],
      "end syncctl worker with Ctrl-C or SIGTERM, and start it again; for the database: syncctl db stop, db start"),
    .advice(
      ["quit", "exit"],
      "every command ends by itself, and a worker with Ctrl-C; syncctl help exit lists exit statuses"),
    .advice(
      ["clean", "cleanup", "prune", "purge", "gc"],
      "runs and workers delete old rows by the settings retention.*, which syncctl config lists"),
    .advice(
      ["jobs add", "jobs create", "jobs delete", "jobs edit", "jobs new", "jobs remove", "jobs rm", "jobs set"],
      "the configuration file defines the jobs: syncctl config names the file, and syncctl init writes one"),
    .advice(
      ["run --resume", "run resume", "run --continue"],
      "syncctl run --source NAME resumes by itself a run that was stopped less than six hours ago"),
    .advice(
      ["run --background", "run --daemon", "run -d", "worker --background", "worker --daemon", "worker -d"],
      "syncctl worker runs the jobs in the foreground; docs/operations/jobs.md has a systemd unit for it"),
    .advice(
      ["run --replay"],
      "upstream-sim --recorded FOLDER serves a recording, and prints the variables of a run that reads it"),
    .advice(["worker --job"], "syncctl worker runs all jobs; syncctl jobs trigger NAME runs one of them now"),
    .advice(["db migrate"], "did you mean syncctl migrate?"),
    .advice(["verify fix", "verify --fix"], "did you mean syncctl verify --repair?"),
    .advice(
      ["config get", "config set", "config edit"], "syncctl config shows every setting, and the file to change it in"),
    .advice(["install", "uninstall"], "README.md says how to install syncctl; make uninstall removes it"),
    .advice(
      ["completion", "completions"],
      "syncctl --generate-completion-script bash (or zsh, fish) prints the script, which make install installs"),
    .advice(["run -n", "run --limit"], "did you mean syncctl runs --limit 5, or syncctl run --max-pages 5?"),
  ]

  /// `favorites add anime` means `favorites add SOURCE anime`. `limits` and `doctor` show all sources, so a source's
  /// name after them is removed.
  static var ofSources: [Guess] {
    Registry.sources.flatMap { source in
      source.favorites.kinds.flatMap { kind in
        ["add", "remove"].map { Guess.path(["favorites", $0, kind], means: ["favorites", $0, source.name, kind]) }
      } + ["limits", "doctor"].map { Guess.path([$0, source.name], means: [$0]) }
    }
  }

  private static let paths: [Guess] =
    meanings.flatMap { (typed: [String], means: [String]) -> [Guess] in
      typed.map { (line: String) -> Guess in .path(line.split(separator: " ").map(String.init), means: means) }
    }
    + ["history", "log", "logs", "runs"].flatMap { (word: String) -> [Guess] in
      [
        .path(["jobs", word], before: { $0.isEmpty }, means: ["runs"]),
        .path(["jobs", word], means: ["runs", "--job"]),
      ]
    }

  private static let meanings: [([String], [String])] = [
    (["watch"], ["status", "--watch"]), (["workers"], ["jobs"]), (["worker start"], ["worker"]),
    (["worker status", "worker jobs", "worker ps", "jobs status", "jobs ps"], ["jobs"]),
    (["run everything"], ["run", "--source", "all"]), (["rankings top"], ["rankings"]), (["problems"], ["status"]),
    (["limits reset", "limits clear"], ["limits", "resume"]), (["db shell", "db connect"], ["db", "psql"]),
    (["db dump"], ["db", "backup"]), (["runs yesterday"], ["runs", "--since", "48h"]),
    (["runs errors", "run failed", "runs held", "runs interrupted"], ["runs", "--failed"]),
    (["status held", "status late", "status paused", "status problems"], ["status", "--failed"]),
    (["run show", "run last", "runs last", "runs latest", "runs show last", "runs show latest"], ["runs", "show"]),
    (["runs today"], ["runs", "--since", "24h"]), (["jobs run", "jobs start"], ["jobs", "trigger"]),
    (["config show", "config list", "config path", "config file"], ["config"]), (["config jobs"], ["jobs"]),
    (["status list", "status show"], ["status"]), (["report list", "report ls"], ["report"]), (["run list"], ["runs"]),
  ]

  private static let options: [(String, String)] = [
    ("--by --order --order-by --sort-by", "--sort"), ("--top --count", "--limit"), ("--dry", "--dry-run"),
    ("-s", "--source"), ("-s", "--sort"), ("--error --errors --failures --problems", "--failed"), ("--last", "--since"),
    ("-d --days", "--since DAYS"), ("--today", "--since 24h"), ("--yesterday", "--since 48h"),
    ("-v --verbose", "--all"), ("--all", "--limit 0"), ("--all", "--source all"),
  ]

  private static let words: [(String, [String])] = [
    ("schedule", ["worker"]), ("top best popular", ["rankings"]), ("movers", ["rankings", "movers"]),
    ("fav favs favourite favourites collection collections", ["favorites"]),
    ("stats", ["status"]), ("log logs", ["runs"]), ("sql psql", ["db", "psql"]), ("database", ["db"]),
    ("settings", ["config"]), ("ls", ["list"]), ("rm del delete", ["remove"]), ("find", ["search"]),
    ("approve confirm-vanish vanish", ["confirm"]),
    ("get view info", ["show"]), ("show", ["list"]),
  ]

  private static let intents: [(String, [String])] = [
    ("sync fetch pull update download mirror refresh", ["run"]), ("start", ["worker", "db start"]),
    ("daemon serve cron scheduler", ["worker"]), ("history", ["runs"]),
    ("errors failed why interrupted", ["runs --failed", "status --failed"]),
    ("held late overdue paused stale", ["status"]), ("quickstart getting how howto tutorial", ["init", "--help"]),
    ("unpause", ["limits resume", "jobs resume NAME"]), ("rate throttle budget", ["limits"]),
    ("list ls", ["status", "favorites list"]), ("rm del delete", ["favorites remove SOURCE KIND ID"]),
    ("setup", ["init"]),
    ("configure", ["init", "config"]), ("check", ["doctor", "verify"]), ("ping test", ["doctor"]),
    ("query", ["report", "db psql"]), ("dump", ["db backup FILE"]), ("queue ps", ["jobs"]),
    ("retry rerun", ["run", "jobs trigger NAME"]), ("last latest", ["runs show"]), ("repair", ["verify --repair"]),
  ]
}
