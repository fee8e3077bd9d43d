import SyncCore

/// Words that users are likely to try although no command has them, with the commands to type instead.
///
/// Another letter case, a plural and a typing error of a command's name need no guess, because they are always
/// recognized.
package struct Guess: Sendable {
  private enum Answer: Sendable {
    case commands([String])
    case advice(String)
  }

  /// The first words of a command line in lower case, without `syncctl`. `YEAR` stands for a year, `DATE` for a date
  /// such as 2024-01-01, `NUMBER` for a whole number, `ID` for a number or the id of a run, and `ADDRESS` for a URL or
  /// this machine. `WORD` stands for any word, and such a guess is used only if nothing else is known.
  let phrase: [String]
  /// Whether no word follows the phrase. A period at the end of a phrase says so.
  private let isWhole: Bool
  private let answer: Answer

  /// Whether the guess is used only if nothing else is known about a word.
  var isLastResort: Bool { phrase.last == "WORD" }

  /// Returns one guess for each phrase.
  /// - Parameters:
  ///   - phrases: The phrases, separated by `|`.
  ///   - commands: The commands that a hint names, without `syncctl`. A word in capitals is replaced by the typed words
  ///     that the phrase does not name: `WORD` and the other words of phrases by the word at their place, and any
  ///     other word at the end of the command by the words after the phrase. `SOURCE` is replaced by the name of a
  ///     source, or by `NAME`.
  package static func commands(_ phrases: String, _ commands: String...) -> [Guess] {
    all(phrases, .commands(commands))
  }

  /// Returns one guess for each phrase, separated by `|`, whose hint is a text.
  package static func advice(_ phrases: String, _ text: String) -> [Guess] { all(phrases, .advice(text)) }

  private static func all(_ phrases: String, _ answer: Answer) -> [Guess] {
    phrases.split(separator: "|").map { phrase in
      let words = phrase.split(separator: " ").map(String.init)
      let isWhole = words.last == "."
      return Guess(phrase: isWhole ? words.dropLast() : words, isWhole: isWhole, answer: answer)
    }
  }

  /// Whether the words begin with the phrase, in any case.
  func matches(_ words: [String]) -> Bool {
    (isWhole ? words.count == phrase.count : words.count >= phrase.count) && zip(phrase, words).allSatisfy(Self.fits)
  }

  private static func fits(_ part: String, _ word: String) -> Bool {
    switch part {
    case "YEAR": (1900...2100).contains(Int(word) ?? 0)
    case "DATE": word.wholeMatch(of: #/\d{4}-\d{2}(-\d{2})?/#) != nil
    case "NUMBER": !word.isEmpty && word.allSatisfy { $0.isASCII && $0.isNumber }
    case "ADDRESS": word.contains(#/^(https?:\/\/|localhost|127\.|:\d)/#)
    case "ID": word.contains(where: \.isNumber) && word.allSatisfy { $0.isHexDigit || $0 == "-" }
    case "WORD": true
    default: part == word.lowercased()
    }
  }

  private static let places: Set = ["YEAR", "DATE", "NUMBER", "ID", "ADDRESS", "WORD"]

  /// The commands of the hint for the words, which match.
  /// - Parameter accepts: Whether the program accepts the words of a command. A command that it refuses is named
  ///   without the typed words.
  func commands(for words: [String], accepts: ([String]) -> Bool = { _ in true }) -> [String] {
    guard case .commands(let commands) = answer else { return [] }
    let rest = words.dropFirst(phrase.count).map { Excerpt.of($0, scalars: 40) }
    return commands.map { command in
      let filled = filled(command, words, rest)
      let fits = rest.isEmpty || accepts(filled)
      return (fits ? filled : self.filled(command, words, [])).map(\.shellWord).joined(separator: " ")
    }.distinct()
  }

  /// Returns the words of a command with the typed words in their places.
  /// - Parameter rest: The words after the phrase.
  private func filled(_ command: String, _ words: [String], _ rest: [String]) -> [String] {
    let parts = command.split(separator: " ").map(String.init)
    return parts.indices.flatMap { index -> [String] in
      let part = parts[index]
      if let place = phrase.firstIndex(of: part), Self.places.contains(part) {
        let word = Excerpt.of(words[place], scalars: 40)
        return part == "WORD" ? [word] + rest : [word]
      }
      if part == "SOURCE" {
        let source = rest.first?.lowercased() ?? ""
        return [Registry.names.contains(source) ? source : "NAME"]
      }
      let isLast = index == parts.count - 1
      let fits = part != "URL" || rest.first?.contains("://") == true
      return Self.isPlaceholder(part) && isLast && fits && !rest.isEmpty ? rest : [part]
    }
  }

  private static func isPlaceholder(_ part: String) -> Bool {
    part.count > 1 && part.allSatisfy { $0.isUppercase || $0 == "-" }
  }

  /// Returns the hint for the words, which match.
  func hint(for words: [String], accepts: ([String]) -> Bool) -> String {
    if case .advice(let text) = answer { return text }
    return Self.hint(commands(for: words, accepts: accepts))
  }

  static func hint(_ commands: [String]) -> String {
    "did you mean \(commands.map { "syncctl \($0)" }.joinedByOr)?"
  }

  /// The words of the shared commands, and of other programs for the same purpose.
  static let shared: [Guess] = mirror + ask + operate + groups

  private static let mirror: [Guess] =
    commands(
      "sync|fetch|pull|update|download|mirror|refresh|crawl|scrape|ingest|extract|load|replicate|backfill|harvest|"
        + "populate|seed|resync|rescan|continue|execute|exec|launch|go|build|etl|el|elt|materialize|clone|tap",
      "run", "run --source SOURCE")
    + commands("apply", "source check FILE", "run")
    + commands("pipeline run|pipeline start|flow run", "run", "jobs trigger NAME")
    + commands("pipeline|pipelines|flow|flows|dag|dags", "jobs", "status --all")
    + commands("daily|nightly|hourly|every|interval", "jobs", "init")
    + commands("outdated|count|how many", "status --all", "report freshness")
    + commands("cancel job|stop job|kill job|cancel jobs|stop jobs", "jobs pause NAME")
    + commands("start|up|boot", "worker", "db start", "web")
    + commands("daemon|cron|scheduler|service|agent|job-runner|beat", "worker")
    + commands(
      "trigger|pause|unpause|resume|enable|disable", "jobs trigger NAME", "jobs pause NAME", "jobs resume NAME")
    + commands("retry|rerun|replay|restart-run", "run", "jobs trigger NAME")
    + commands("history|log|logs|tail|events|audit|journal|activity", "runs", "runs show")
    + commands(
      "errors|error|failed|failures|why|interrupted|problems|alerts|incidents", "status --failed", "runs --failed")
    + commands(
      "held|late|overdue|paused|stale|lag|freshness|state|stats|stat|progress|watch|monitor|top-runs|ps|overview|"
        + "summary|info|estado|statut|zustand",
      "status", "status --watch")
    + commands("queue|crontab|tasks|task|next", "jobs")
    + commands("workers", "worker", "jobs")
    + commands("last|latest|last-run", "runs show")
    + commands("approve|confirm-vanish|vanish|accept|unhold|release", "confirm ID")
    + commands("check|validate|lint|assert", "doctor", "verify", "source check FILE")
    + commands("repair|fix|heal|recover|rebuild|reindex", "verify --repair")
    + commands("diff|preview|dry-run|plan|simulate|what-if", "run --dry-run")

  private static let ask: [Guess] =
    commands("find|look|query-titles|title|titles|which|who|what|where|whereis|locate|grep", "search WORDS")
    + advice(
      "compare", "no command compares entries; syncctl search WORDS looks for one, with the command that shows it")
    + commands("what should|what to|what can", "rankings", "report hidden-gems")
    + commands(
      "get|show|describe|view|display|inspect|cat|print|read|open-item|detail|details", "search WORDS", "status")
    + commands("list|ls|dir|all", "status --all", "rankings", "favorites list")
    + commands(
      "bookmarks|bookmark|like|likes|star|starred|heart|save|collection|collections|watchlist|library|mylist|owned|"
        + "favs|faves|my list|my favorites|my favourites|my anime|my pokemon",
      "favorites", "favorites add WORDS")
    + advice(
      "rm|del|delete|unlike|unstar|drop|erase",
      "syncctl favorites remove WORDS removes a favorite; other items follow the services, so nothing else is deleted")
    + commands("note|notes|annotate", "favorites list", "favorites add WORDS")
    + commands(
      "export csv|export json|export anime|export rankings|export data", "rankings --limit 0 --csv", "report NAME --csv"
    )
    + commands("export", "favorites export", "rankings --limit 0 --csv", "db backup FILE")
    + commands("import", "favorites import FILE")
    + commands(
      "ui|gui|dashboard|serve|server|browser|browse|browsing|open|pages|http|console|site|website|localhost|view-web|"
        + "ADDRESS",
      "web", "web --open")
    + commands(
      "query|select|sql|psql|shell|repl|cli|connect|console-sql|db-shell|ddl|explain",
      "db psql", "report")
    + commands("exec psql|run psql|open psql|start psql", "db psql")
    + advice(
      "schema|schemas|model|erd|dictionary|catalog|tables|table|columns|list tables|show tables|dt|\\dt|\\d",
      "docs/sql.md describes the tables; syncctl db psql opens psql on them, and syncctl report lists the named queries"
    )
    + commands(
      "movers|moves-up|trending|hot|rising|changes|new|news|updates", "rankings movers", "favorites changes --since 7d")
    + commands(
      "top|best|popular|ranking|rank|ranks|leaderboard|chart-list|highest|most|score|scores|ランキング", "rankings")
    + commands("DATE .", "rankings --as-of DATE", "runs --since DATE")
    + commands("random|recommend|suggest|pick", "rankings", "seasons now", "report")
    + commands("reporting|analytics|insights|graph|plot|views", "report", "rankings movers")

  private static let operate: [Guess] =
    commands("setup|configure|init-config|bootstrap|new-project|scaffold", "init", "config")
    + commands(
      "quickstart|getting|how|howto|tutorial|guide|begin|intro|welcome|learn|getting-started|demo|sample", "init",
      "--help")
    + advice(
      "docs|doc|documentation|man|manual|readme|usage|commands|examples|example|faq|wiki|?|h",
      "syncctl --help lists the commands, and syncctl help COMMAND explains one; the folder docs has the manual")
    + commands(
      "workspace|workspaces|project|settings|setting|options|env|environment|prefs|preferences|configuration|vars|"
        + "variables|whoami",
      "config")
    + commands(
      "issue|issues|bug|ping|test|selftest|diagnose|debug|trace|troubleshoot|connection", "doctor")
    + advice(
      "login|auth|signin|sign-in|account|user|token|password",
      "syncctl has no accounts; syncctl config shows the database's address and the settings of the services")
    + commands("ready|readiness|liveness|alive|healthcheck|healthz|probe", "health")
    + commands("rate|throttle|budget|quota|ratelimit|rate-limit|usage-limits|429", "limits")
    + commands("dump|backups|snapshot|archive|restore|pg_dump|copy", "db backup FILE", "db restore FILE")
    + commands("destination|cluster-info|database|postgres|postgresql|pg|cluster", "db status", "db psql")
    + commands("upgrade|migrations|migration|schema-update", "migrate", "db upgrade")
    + commands(
      "add|create|declare|register|plugin|plugins|api|endpoint|"
        + "endpoints|draft|discover|spec|generate",
      "source list", "source draft URL")
    + commands("sources|connectors|connector|connections|conns", "status", "source list")
    + commands("streams|stream|resources|resource|datasets|dataset", "status --all", "source list")
    + advice(
      "stop|kill|shutdown|down|abort|cancel|terminate",
      "end syncctl worker, run or web with Ctrl-C or SIGTERM; syncctl db stop stops the database")
    + advice(
      "restart|reload",
      "end syncctl worker with Ctrl-C or SIGTERM, and start it again; for the database: syncctl db stop, then syncctl db start"
    )
    + advice(
      "quit|exit|logout|q|bye",
      "every command ends by itself, and a worker with Ctrl-C; syncctl help exit lists exit statuses")
    + advice(
      "clean|cleanup|prune|purge|gc|clear|flush|expire|vacuum|retention|trim",
      "runs and workers delete old rows by the settings retention.*, which syncctl config lists")
    + advice(
      "reset|wipe|nuke|truncate|undo|rollback|revert|uninit",
      "syncctl run --full fetches everything again; syncctl db backup FILE and syncctl db restore FILE undo a change")
    + advice(
      "install|uninstall|self-update|self-upgrade", "README.md says how to install syncctl; make uninstall removes it")
    + advice(
      "completion|completions|autocomplete|bash|zsh|fish",
      "syncctl --generate-completion-script bash (or zsh, fish) prints the script, which make install installs")
    + commands(
      "metrics|notify|notifications|webhook|slack|email|prometheus|exporter|telemetry", "run --metrics-file FILE",
      "health")
    + commands("record|recording|vcr|cassette|fixtures", "run --record FOLDER")
    + commands("about|ver|versions|build-info|release-notes|changelog|licence|license", "version")
    + commands("wait|block|lock|unlock|lease", "run --wait", "status")
    + commands("edit|set|rename|move|modify|write|unset", "config", "init")

  /// The words after a command.
  private static let groups: [Guess] =
    commands("jobs run|jobs start|jobs now|jobs exec", "jobs trigger NAME")
    + commands("jobs disable|jobs stop|jobs hold", "jobs pause NAME")
    + commands("jobs enable|jobs continue|jobs unpause", "jobs resume NAME")
    + commands(
      "jobs show|jobs history|jobs log|jobs logs|jobs runs|jobs info|jobs get|jobs describe", "runs --job NAME")
    + commands("jobs failed|jobs errors", "runs --failed")
    + commands("jobs status|jobs ps|jobs ls|jobs all", "jobs")
    + commands("jobs WORD", "jobs pause WORD", "jobs resume WORD", "jobs trigger WORD", "runs --job WORD")
    + advice(
      "jobs add|jobs create|jobs delete|jobs edit|jobs new|jobs remove|jobs rm|jobs set",
      "the configuration file defines the jobs: syncctl config names the file, and syncctl init writes one")
    + commands("worker start|worker run", "worker")
    + commands("worker status|worker jobs|worker ps|worker ls|worker show", "jobs")
    + advice(
      "worker stop|worker kill",
      "end syncctl worker with Ctrl-C or SIGTERM; syncctl db stop stops the database")
    + advice(
      "worker restart",
      "end syncctl worker with Ctrl-C or SIGTERM, and start it again; for the database: syncctl db stop, then syncctl "
        + "db start")
    + advice(
      "worker --job", "syncctl worker runs all jobs; syncctl run --job NAME or syncctl jobs trigger NAME runs one")
    + advice(
      "run --background|run --daemon|run -d|worker --background|worker --daemon|worker -d",
      "syncctl worker runs the jobs in the foreground; docs/operations/jobs.md has a systemd unit for it")
    + advice(
      "run --resume|run resume|run --continue",
      "syncctl run --source NAME resumes by itself a run that was stopped less than six hours ago")
    + advice(
      "run --replay",
      "upstream-sim --recorded FOLDER serves a recording, and prints the variables of a run that reads it")
    + commands("run -n|run --limit", "runs --limit 5", "run --max-pages 5")
    + commands("run everything|run --all", "run --source all")
    + commands("run failed|run errors", "runs --failed")
    + commands("run show|run last|run latest", "runs show")
    + commands("run list|run ls", "runs")
    + commands("run job|run jobs", "run --job NAME")
    + commands("run WORD", "run --stream WORD", "run --job WORD")
    + commands("runs WORD", "runs --stream WORD", "runs --job WORD")
    + commands("status WORD", "status --stream WORD")
    + commands("health WORD", "health --stream WORD")
    + commands("runs last|runs latest|runs show last|runs show latest", "runs show")
    + commands("runs today", "runs --since today")
    + commands("runs yesterday", "runs --since yesterday")
    + commands("runs errors|runs held|runs interrupted", "runs --failed")
    + commands("runs --status", "runs --failed")
    + commands("runs ID", "runs show ID")
    + commands("runs get|runs info|runs view", "runs show ID")
    + commands("status held|status late|status paused|status problems", "status --failed")
    + commands("status list|status show", "status")
    + commands("limits reset|limits clear|limits end", "limits resume NAME")
    + commands("limits show|limits get", "limits")
    + commands("limits WORD", "limits resume WORD", "limits")
    + commands("db shell|db connect|db sql|db query|db open|db cli|db console", "db psql")
    + commands("db dump|db export|db save", "db backup FILE")
    + commands("db import|db load", "db restore FILE")
    + commands("db migrate", "migrate")
    + commands("db init|db create|db setup", "db start", "migrate")
    + commands("db info|db ls|db list", "db status")
    + commands("db address|db dsn|db uri|dsn|connection string|connection-string", "db url")
    + commands("verify fix|verify --fix|verify repair", "verify --repair")
    + commands("config show|config list|config path|config file|config ls", "config")
    + advice(
      "config get|config set|config edit", "syncctl config shows every setting, and the file to change it in")
    + commands("config jobs", "jobs")
    + commands("config init|config new|config create", "init")
    + commands("report list|report ls|report show", "report")
    + commands("favorites show|favorites ls|favorites get|favorites all", "favorites list")
    + commands("favorites rm|favorites del|favorites delete|favorites unlike|favorites drop", "favorites remove WORDS")
    + commands("favorites new|favorites save|favorites like|favorites create|favorites set", "favorites add WORDS")
    + commands("favorites find|favorites search|favorites query", "search WORDS")
    + commands("favorites WORD", "favorites add WORD")
    + commands("rankings top|rankings list|rankings ls|rankings show|rankings best", "rankings")
    + commands("rankings ID", "rankings --limit ID")
    + commands("source show|source ls|source status", "source list")
    + commands("source add|source new|source create|source init|source generate", "source draft URL")
    + commands("source test|source validate|source ping", "source check FILE")
    + commands("source run|source sync", "run --source NAME")
    + commands("web open|web start|web browser", "web --open")
    + commands("web stop", "web --url")

  /// Options of other programs, and the options of this program for the same purpose.
  static let options: [(String, String)] = [
    ("--order --order-by --sort-by --orderby", "--sort"), ("--top --count --max --first", "--limit"),
    ("--output --out", "--format json"), ("--dry --preview", "--dry-run"), ("-s", "--source"), ("-s", "--sort"),
    ("-f", "--format"), ("-c", "--config"), ("--error --errors --failures --problems", "--failed"),
    ("--last --from --after-time", "--since"), ("-d --days", "--since 7d"), ("--today", "--since today"),
    ("--yesterday", "--since yesterday"), ("-v --verbose -a", "--all"), ("--all", "--limit 0"),
    ("--all", "--source all"),
    ("--page", "--limit 0, which shows all"), ("--at --on --date --when", "--as-of"), ("-t", "--type"),
    ("-y", "--year"), ("--lang --language", "--lang"), ("--port -p", "--listen 127.0.0.1:8080"),
  ]
}
