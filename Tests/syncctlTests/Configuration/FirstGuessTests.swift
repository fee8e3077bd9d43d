import ArgumentParser
import SyncCore
import Testing

@testable import SyncProgram

/// Command lines that a new user may guess. syncctl runs the intended command or names it in a hint.
@Suite(.boundSources) struct FirstGuessTests {
  private static let understood: [(String, String)] = [
    ("pokedex pikachu", "pokedex show pikachu"), ("Pokedex Pikachu", "pokedex show Pikachu"),
    ("pokemon pikachu", "pokedex show pikachu"), ("pokedex get pikachu", "pokedex show pikachu"),
    ("pokedex", "pokedex list"), ("pokedex types fire", "pokedex type fire"), ("anime 3223", "anime show 3223"),
    ("anime cowboy_bebop", "anime show cowboy_bebop"), ("manga berserk", "manga show berserk"),
    ("anime find bebop", "anime search bebop"), ("anime top", "rankings jikan --kind anime"),
    ("manga list", "rankings jikan --kind manga"), ("anime movers", "rankings movers anime"),
    ("rankings", "rankings jikan"), ("top", "rankings jikan"), ("ranking", "rankings jikan"),
    ("top manga", "rankings jikan --kind manga"), ("rankings anime", "rankings jikan --kind anime"),
    ("rankings anime --csv", "rankings jikan --kind anime --format csv"),
    ("rankings jikan manga", "rankings jikan --kind manga"), ("rankings movie", "rankings jikan --type movie"),
    ("rankings score", "rankings jikan --sort score"), ("rankings airing", "rankings jikan --sort airing"),
    ("rankings songs", "rankings itunes --chart songs"), ("charts", "rankings itunes"),
    ("rankings itunes albums tw", "rankings itunes --chart albums --country tw"),
    ("rankings pokemon", "rankings pokeapi"), ("rankings speed", "rankings pokeapi --sort speed"),
    ("rankings history 5114", "rankings history anime 5114"), ("rankings movers", "rankings movers anime"),
    ("favorites", "favorites list"), ("fav ls", "favorites list"),
    ("favorites rm jikan anime 1", "favorites remove jikan anime 1"),
    ("favorite add jikan anime 1", "favorites add jikan anime 1"), ("run jikan", "run --source jikan"),
    ("RUN Jikan", "run --source jikan"), ("run jikan top-anime", "run --source jikan --stream top-anime"),
    ("run top-anime", "run --stream top-anime"), ("run all", "run --source all"),
    ("run --dry-run jikan", "run --dry-run --source jikan"),
    ("run --max-pages 2 jikan", "run --max-pages 2 --source jikan"), ("verify pokeapi", "verify --source pokeapi"),
    ("health jikan", "health --source jikan"), ("init itunes", "init --source itunes"), ("STATUS", "status"),
    ("stats", "status"), ("status --json", "status --format json"), ("status -o JSON", "status --format json"),
    ("status --output=json", "status --format json"), ("--json status", "status --format json"),
    ("--config my.yaml status", "status --config my.yaml"),
    ("--config=my.yaml run jikan", "run --config=my.yaml --source jikan"), ("runs -n 5", "runs list --limit 5"),
    ("rankings -n5", "rankings jikan --limit 5"), ("runs 3f2a", "runs show 3f2a"), ("logs", "runs list"),
    ("jobs --json", "jobs list --format json"), ("job ls", "jobs list"), ("psql -n", "db psql -n"),
    ("database status", "db status"), ("db", "db status"), ("settings", "config"), ("reports", "report"),
    ("season 2024 spring", "seasons 2024 spring"), ("genres manga", "genres --kind manga"),
    ("itunes 1440833098", "itunes lookup 1440833098"),
    ("run jikan pokeapi", "run --source jikan --source pokeapi"),
    ("status jikan itunes", "status --source jikan --source itunes"), ("status all", "status --all"),
    ("status failed", "status --failed"), ("runs failed", "runs list --failed"), ("run failed", "runs list --failed"),
    ("logs errors", "runs list --failed"), ("run show", "runs show"), ("run show 3f2a", "runs show 3f2a"),
    ("run list", "runs list"), ("worker list", "worker --list"), ("worker start", "worker"),
    ("itunes charts", "rankings itunes"), ("itunes chart", "rankings itunes"), ("itunes list", "rankings itunes"),
    ("itunes top", "rankings itunes"), ("itunes top albums tw", "rankings itunes --chart albums --country tw"),
    ("itunes songs", "rankings itunes --chart songs"), ("itunes --chart songs", "rankings itunes --chart songs"),
    ("songs", "rankings itunes --chart songs"),
    ("podcasts jp", "rankings itunes --chart podcasts --country jp"),
    ("anime --sort score", "rankings jikan --kind anime --sort score"),
    ("manga --type=novel", "rankings jikan --kind manga --type novel"),
    ("anime -n 5", "rankings jikan --kind anime --limit 5"),
    ("anime search bebop -n 5", "anime search bebop --limit 5"),
    ("fav add anime 1", "favorites add jikan anime 1"),
    ("favorites rm pokemon 25", "favorites remove pokeapi pokemon 25"), ("monday", "airing monday"),
    ("itunes chart us-songs", "rankings itunes --chart us-songs"), ("us-apps", "rankings itunes --chart us-apps"),
    ("approve f9ddbffb", "confirm f9ddbffb"), ("confirm-vanish f9ddbffb", "confirm f9ddbffb"),
    ("itunes top us-songs", "rankings itunes --chart us-songs"),
    ("itunes us-songs", "rankings itunes --chart us-songs"),
    ("itunes charts mine", "rankings itunes --chart mine"), ("itunes top tw-mine", "rankings itunes --chart tw-mine"),
    ("rankings US-songs", "rankings itunes --chart us-songs"), ("itunes search us-songs", "itunes search us-songs"),
    ("itunes chart:us-songs", "rankings itunes --chart chart:us-songs"),
    ("rankings itunes us-songs", "rankings itunes --chart us-songs"),
    ("rankings movers us-songs", "rankings movers itunes --chart us-songs"),
    ("anime spring 2023", "seasons spring 2023"), ("Spring 2023", "seasons spring 2023"), ("fall", "seasons fall"),
    ("anime spring", "anime show spring"), ("runs last", "runs show"), ("run last", "runs show"),
    ("runs today", "runs list --since 24h"), ("jobs run daily", "jobs trigger daily"),
    ("jobs start daily", "jobs trigger daily"), ("worker status", "jobs list"), ("config show", "config"),
    ("anime genres", "genres --kind anime"), ("anime genres of love", "anime show genres of love"),
    ("pokedex types", "report type-chart"), ("top 5", "rankings jikan --limit 5"),
    ("top 5 manga", "rankings jikan --limit 5 --kind manga"),
    ("watch", "status --watch"), ("watch jikan", "status --watch --source jikan"), ("workers", "jobs list"),
    ("workers list", "jobs list"), ("workers ps", "jobs list"), ("worker ps", "jobs list"),
    ("rankings top 10", "rankings jikan --limit 10"), ("rankings --top 10", "rankings jikan --limit 10"),
    ("run --all", "run --source all"), ("run everything", "run --source all"), ("run --dry", "run --dry-run"),
    ("jobs history", "runs list"), ("jobs log daily", "runs list --job daily"),
    ("runs --status failed", "runs list --failed"), ("runs --status=failed", "runs list --failed"),
    ("runs yesterday", "runs list --since 48h"), ("runs show last", "runs show"), ("limits itunes", "limits list"),
    ("limits reset itunes", "limits resume itunes"), ("doctor jikan", "doctor"), ("db shell", "db psql"),
    ("db dump mirror.dump", "db backup mirror.dump"), ("config path", "config"),
    ("pokedex search pika", "pokedex show pika"), ("pokedex weakness charizard", "pokedex matchup charizard"),
    ("anime --id 3223", "anime show 3223"), ("rankings --country jp", "rankings itunes --country jp"),
    ("rankings songs --country jp", "rankings itunes --chart songs --country jp"),
    ("genre action", "rankings jikan --kind anime --genre action"), ("genre manga", "genres --kind manga"),
    ("airing now", "airing today"), ("airing tonight", "airing today"), ("today", "airing today"),
    ("problems", "status"), ("popular", "rankings jikan"), ("best manga", "rankings jikan --kind manga"),
    ("Friday", "airing friday"), ("runs --limit -1", "runs list --limit=-1"), ("runs -n -1", "runs list --limit=-1"),
    ("rankings --order score", "rankings jikan --sort score"), ("rankings -s score", "rankings jikan --sort score"),
    ("pokedex --sort-by=hp", "pokedex list --sort=hp"), ("run -s jikan", "run --source jikan"),
    ("runs -s jikan", "runs list --source jikan"), ("runs --errors", "runs list --failed"),
    ("runs --last 24h", "runs list --since 24h"), ("runs --today", "runs list --since 24h"),
    ("runs --all", "runs list --limit 0"), ("movers", "rankings movers anime"),
    ("movers -d 7", "rankings movers anime --since 7d"), ("movers manga --days 2w", "rankings movers manga --since 2w"),
    ("status -v", "status --all"), ("status --problems", "status --failed"), ("verify --all", "verify --source all"),
    ("airing --day friday", "airing friday"), ("airing --json --day=friday", "airing friday --format json"),
    ("pokedex pikachu evolution", "pokedex evolution pikachu"), ("pokedex fire type", "pokedex type fire"),
    ("anime airing", "airing"), ("anime new", "seasons now"), ("anime new game", "anime show new game"),
    ("anime upcoming", "rankings jikan --kind anime --status upcoming"),
    ("anime genre comedy", "rankings jikan --kind anime --genre comedy"),
    ("rankings anime 2023", "rankings jikan --kind anime --year 2023"), ("rankings 2023", "rankings jikan --year 2023"),
    ("rankings movies", "rankings jikan --type movie"), ("rankings favorites", "rankings jikan --sort favorites"),
    ("collections", "favorites list"), ("favorites show", "favorites list"), ("limits show", "limits list"),
    ("genres list", "genres"), ("season list", "seasons"), ("status list", "status"), ("config jobs", "jobs list"),
    ("jobs show", "jobs list"), ("jobs show charts", "runs list --job charts"), ("jobs failed", "runs list --failed"),
    ("runs held", "runs list --failed"), ("status late", "status --failed"),
  ]

  private static let oldNames: [(String, String)] = [
    ("schedule --once", "worker --once"), ("schedules friday", "airing friday"),
    ("rankings jikan --by score --subtype=tv", "rankings jikan --sort score --type=tv"),
    ("rankings pokeapi --by speed --type electric", "rankings pokeapi --sort speed --type electric"),
    ("rankings movers --since 7d --kind manga", "rankings movers manga --since 7d"),
    ("rankings movers --kind=manga --subtype novel", "rankings movers manga --type novel"),
    ("rankings history anime 5114 --subtype tv", "rankings history anime 5114 --type tv"),
    ("rankings itunes --movers --since 30d", "rankings movers itunes --since 30d"),
    ("rankings itunes --country tw --history 12", "rankings history itunes 12 --country tw"),
    ("rankings jikan --kind manga", "rankings jikan --kind manga"),
  ]

  @Test("words become those of a command, which the parser takes", arguments: understood + oldNames)
  func meaning(typed: String, meant: String) throws {
    let arguments = try FirstGuess().arguments(for: Self.words(typed))
    #expect(arguments == Self.words(meant))
    let command = try Syncctl.parseAsRoot(arguments)
    #expect(arguments.contains(type(of: command)._commandName))
  }

  @Test(
    "help is that of the command that is meant",
    arguments: [
      ("help schedule", "help worker"), ("jobs help", "help jobs"), ("--help run", "run --help"),
      ("rankings --help", "rankings --help"), ("help rankings history", "help rankings history"), ("HELP", "help"),
    ])
  func help(typed: String, meant: String) throws {
    #expect(try FirstGuess().arguments(for: Self.words(typed)) == Self.words(meant))
  }

  @Test(
    "where several commands may be meant, or one that writes, the hint names them",
    arguments: [
      ("sync", ["run"]), ("fetch jikan", ["run"]), ("update", ["run"]), ("pull", ["run"]),
      ("start", ["worker", "db start"]), ("daemon", ["worker"]), ("failed", ["runs --failed", "status --failed"]),
      ("setup", ["init"]),
      ("jikan", ["run jikan", "rankings jikan"]), ("history", ["runs", "rankings history", "itunes history"]),
      ("search bebop", ["anime search bebop", "manga search bebop", "itunes search bebop"]),
      ("search", ["anime search WORDS", "manga search WORDS", "itunes search TERM"]), ("export", ["favorites export"]),
      ("delete", ["favorites remove SOURCE KIND ID"]),
      ("rm", ["favorites remove SOURCE KIND ID"]), ("list", ["status", "favorites list"]),
      ("ls", ["status", "favorites list"]), ("backup", ["db backup FILE"]),
      ("evolution eevee", ["pokedex evolution eevee"]), ("pause daily", ["jobs pause daily"]),
      ("moves", ["pokedex move NAME"]), ("items potion", ["pokedex item potion"]),
      ("check", ["doctor", "verify"]), ("retry", ["run", "jobs trigger NAME"]), ("last", ["runs show"]),
      ("unpause itunes", ["limits resume", "jobs resume NAME"]), ("rate limits", ["limits"]),
      ("repair", ["verify --repair"]),
      ("why failed", ["runs --failed", "status --failed"]), ("interrupted", ["runs --failed", "status --failed"]),
      ("held", ["status"]), ("late", ["status"]), ("paused", ["status"]), ("stale", ["status"]),
      ("quickstart", ["init", "--help"]), ("howto", ["init", "--help"]), ("getting started", ["init", "--help"]),
    ])
  func intent(typed: String, commands: [String]) {
    let hint = "did you mean \(commands.map { "syncctl \($0)" }.joinedByOr)?"
    #expect(Self.hint(typed) == hint)
  }

  @Test(
    "a suggestion is near: one edit for every three letters",
    arguments: [
      ("statsu", "did you mean status?"), ("raning", "did you mean rankings?"),
      ("anime serach x", "did you mean search?"),
      (
        "spd",
        "syncctl --help lists the commands; syncctl anime spd, syncctl manga spd, syncctl pokedex spd or "
          + "syncctl itunes search spd looks it up"
      ),
      (
        "jay chou",
        "syncctl --help lists the commands; syncctl anime jay chou, syncctl manga jay chou, syncctl pokedex jay chou or "
          + "syncctl itunes search jay chou looks it up"
      ),
      ("jobs xyzzy", jobs("xyzzy")), ("jobs disable charts", jobs("charts")), ("jobs now charts", jobs("charts")),
      ("jobs charts pause", jobs("charts")), ("jobs failed charts", jobs("charts")), ("jobs enable", jobs("NAME")),
      ("help me", "syncctl --help lists the commands"),
      ("cancel 3f2a", "syncctl --help lists the commands"), ("unlock", "syncctl --help lists the commands"),
      ("trending", "syncctl --help lists the commands"), ("diff", "syncctl --help lists the commands"),
    ])
  func spelling(typed: String, hint: String) { #expect(Self.hint(typed) == hint) }

  private static func jobs(_ name: String) -> String {
    "did you mean syncctl jobs pause \(name), syncctl jobs resume \(name), syncctl jobs trigger \(name) or "
      + "syncctl runs --job \(name)? syncctl jobs lists the jobs"
  }

  @Test(
    "words without a command get what to do instead",
    arguments: [
      ("stop worker", "Ctrl-C or SIGTERM"), ("worker stop", "Ctrl-C or SIGTERM"), ("kill", "Ctrl-C or SIGTERM"),
      ("restart", "Ctrl-C or SIGTERM, and start it again"), ("quit", "ends by itself"), ("exit", "syncctl help exit"),
      ("clean", "retention.*"),
      ("jobs add nightly", "syncctl config names the file"), ("jobs edit charts", "the configuration file"),
      ("run --resume", "resumes by itself"), ("run jikan --background", "syncctl worker runs the jobs"),
      ("worker --daemon", "a systemd unit"), ("worker --job charts", "syncctl jobs trigger NAME"),
      ("verify fix", "syncctl verify --repair"), ("db migrate", "did you mean syncctl migrate?"),
      ("pokedex vs fire water", "syncctl pokedex matchup --attacking fire"),
      ("install", "README.md"), ("uninstall", "make uninstall"),
      ("completion bash", "--generate-completion-script bash"), ("config get database", "syncctl config shows"),
    ])
  func advice(typed: String, hint: String) { #expect(Self.hint(typed)?.contains(hint) == true) }

  @Test(
    "words that may mean a search of a service never begin it", arguments: ["jay chou", "top gun", "status", "mine"])
  func noSearch(typed: String) {
    #expect(
      Self.hint("itunes \(typed)")
        == "syncctl itunes --help lists the commands; syncctl itunes search \(typed) looks it up")
  }

  @Test(
    "a format's short form is left as typed for a command without formats",
    arguments: ["version -o json", "init --json"])
  func noFormat(typed: String) throws {
    #expect(try FirstGuess().arguments(for: Self.words(typed)) == Self.words(typed))
  }

  @Test(arguments: ["run -n 5", "run jikan --limit 5", "run --limit=5"])
  func aRunWithALimitMayMeanTwoCommands(typed: String) {
    #expect(Self.hint(typed) == "did you mean syncctl runs --limit 5, or syncctl run --max-pages 5?")
  }

  @Test("a query is for psql's -c, in one word or several, and psql's other arguments stay as typed")
  func query() throws {
    for typed in [["sql", "select 1", "-t"], ["db", "psql", "select", "1", "-t"]] {
      #expect(try FirstGuess().arguments(for: typed) == ["db", "psql", "-c", "select 1", "-t"])
    }
    #expect(
      try FirstGuess().arguments(for: ["psql", "--write", "select 1"]) == ["db", "psql", "--write", "-c", "select 1"])
    #expect(try FirstGuess().arguments(for: ["psql", "-t", "-c", "select 1"]).suffix(2) == ["-c", "select 1"])
  }

  @Test("one value too many is left to the parser, which refuses it")
  func twoValues() throws {
    #expect(try FirstGuess().arguments(for: ["rankings", "anime", "manga"]).last == "manga")
    #expect(throws: (any Error).self) { try Syncctl.parseAsRoot(["rankings", "jikan", "--kind", "anime", "manga"]) }
  }

  @Test("a kind of favorites belongs to one source")
  func kinds() {
    let kinds = Registry.sources.flatMap { $0.favorites.kinds }
    #expect(Set(kinds).count == kinds.count)
  }

  @Test func noSuggestionIsAbsurd() {
    let day = SyncError.unknown("day", "today", ["monday", "tuesday", "sunday", "other"])
    #expect(day.hint?.hasPrefix("known: ") == true)
    #expect(Suggestion.nearest(to: "spd", among: ["id", "hp", "speed"]) == nil)
    #expect(Suggestion.nearest(to: "spead", among: ["id", "hp", "speed"]) == "speed")
  }

  @Test func severalNearWords() {
    let known = ["Pikachu", "pikachu", "Raichu", "妙蛙種子", "妙蛙草", "Mew", "mew"]
    #expect(Suggestion.several(to: "pikchu", among: known) == ["Pikachu"])
    #expect(Suggestion.several(to: "妙蛙种子", among: known) == ["妙蛙種子"])
    #expect(Suggestion.several(to: "mex", among: known) == ["Mew"])
    #expect(Suggestion.several(to: "x", among: known) == [])
    #expect(Suggestion.several(to: "", among: known) == [])
    #expect(Suggestion.several(to: "abc", among: ["abd", "abe", "abf", "abg"]) == ["abd", "abe", "abf"])
  }

  @Test("every word of the table is understood, and every hint names commands")
  func table() throws {
    for case .word(let word, let means) in Guess.shared + Registry.sources.flatMap({ $0.guesses }) {
      #expect(Self.owners(of: means[0], below: Syncctl.self), "\(word)")
    }
    for case .intent(let word, let commands) in Guess.shared {
      for command in commands { _ = try FirstGuess().arguments(for: Self.words(command) + ["--help"]) }
      #expect(Self.hint(word) != nil, "\(word)")
    }
  }

  private static func owners(of name: String, below command: any ParsableCommand.Type) -> Bool {
    command.configuration.subcommands.contains { $0._commandName == name || owners(of: name, below: $0) }
  }

  private static func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }

  private static func hint(_ typed: String) -> String? {
    do throws(SyncError) {
      _ = try FirstGuess().arguments(for: words(typed))
      return nil
    } catch { return error.hint }
  }
}
