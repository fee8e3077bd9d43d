import ArgumentParser
import SyncCore
import Testing

@testable import RestSource
@testable import SyncProgram

/// Command lines that a new user may type first. Valid ones reach the parser as they are. For all others, syncctl names
/// the commands to type.
@Suite(.boundSources) struct FirstGuessTests {
  /// A word for each placeholder in a phrase of a guess.
  static let samples = [
    "YEAR": "2023", "DATE": "2024-01-01", "NUMBER": "25", "ID": "5114", "ADDRESS": "localhost:8080", "WORD": "xyzzy",
  ]

  private static let valid = [
    "search cowboy bebop", "search ピカチュウ -n 5", "anime cowboy bebop", "anime 5114", "manga berserk", "pokedex",
    "pokedex pikachu --lang ja", "pokedex --sort speed", "rankings", "rankings anime --limit 5", "rankings manga",
    "rankings --csv", "runs -n 5", "status --json", "status -o json", "runs --ndjson", "favorites",
    "favorites add yuusha kaze", "favorites add anime 5114", "favorites remove jikan anime 5114", "web 9000",
    "--generate-completion-script bash", "--help runs", "run --job daily", "db psql select 1", "db psql -c 'select 1'",
    "help run", "airing friday", "seasons spring 2023",
  ]

  private static let formerNames = [
    "schedule --once", "schedules friday", "rankings jikan --by score --subtype tv", "rankings pokeapi --by speed",
    "rankings movers anime --subtype tv", "rankings history anime 5114 --subtype tv", "pokemon pikachu", "fav list",
    "help schedule",
  ]

  @Test("valid command lines and former names reach the parser, which accepts them", arguments: valid + formerNames)
  func accepted(typed: String) throws {
    let words = Self.words(typed)
    #expect(FirstGuess().fault(of: words) == nil)
    do {
      _ = try Syncctl.parseAsRoot(words)
    } catch {
      #expect(Syncctl.exitCode(for: error) == .success, "\(Syncctl.fullMessage(for: error))")
    }
  }

  @Test("former names are not in the help")
  func hiddenNames() {
    for command in ["", "rankings jikan", "rankings pokeapi", "rankings movers anime"] {
      let type = Self.words(command).reduce(Syncctl.self as any ParsableCommand.Type) { type, word in
        FirstGuess.subcommand(word, of: type.configuration.subcommands) ?? type
      }
      let help = CommandLineText.flowed(Syncctl.helpMessage(for: type, columns: 10_000), to: 80)
      for name in ["schedule,", ", schedule", "--by", "--subtype", "favourites"] { #expect(!help.contains(name)) }
      #expect(help.contains("--help"))
    }
  }

  @Test(
    "the hint names the commands to type",
    arguments: [
      ("sync", ["run", "run --source NAME"]), ("serve", ["web", "web --open"]), ("ui", ["web", "web --open"]),
      ("sql", ["db psql", "report"]), ("jikan", ["run --source jikan", "status --source jikan", "rankings jikan"]),
      ("evolution eevee", ["pokedex evolution eevee"]), ("spring 2023", ["seasons 2023 spring"]),
      ("anime 2023", ["rankings anime --year 2023", "anime show 2023"]), ("anime top", ["rankings anime"]),
      ("anime find bebop", ["anime search bebop"]), ("genre action", ["genres", "rankings jikan --genre action"]),
      ("fire", ["pokedex type fire", "pokedex list --type fire"]), ("runs 3f2a", ["runs show 3f2a"]),
      ("itunes 1440833098", ["itunes lookup 1440833098"]), ("itunes jay chou", ["itunes search jay chou"]),
      ("songs", ["rankings itunes --chart songs"]), ("us-apps", ["rankings itunes --chart us-apps"]),
      ("jobs run daily", ["jobs trigger daily"]), ("jobs show charts", ["runs --job charts"]),
      ("type-chart", ["report type-chart"]), ("run jikan", ["run --source jikan"]),
      ("run top-anime", ["run --stream top-anime", "run --job top-anime"]), ("status failed", ["status --failed"]),
      ("genres manga", ["genres --kind manga"]), ("rankings movie", ["rankings --type movie"]),
      ("rankings itunes albums", ["rankings itunes --chart albums"]), ("STATUS --json", ["status --json"]),
      ("report movers x", []), ("--json status", ["status --json"]), ("anime serach x", ["anime search x"]),
      ("anime --sort=score", ["rankings anime --sort score"]),
      ("runs --since today failed", ["runs --failed --since today"]),
      ("top manga", ["rankings manga"]), ("top songs", ["rankings itunes --chart songs"]),
      ("best movies 2023", ["rankings anime --type movie --year 2023"]), ("job 1", ["jobs"]),
      ("songs taylor swift", ["itunes search taylor swift", "rankings itunes --chart songs"]),
      ("plugin install jikan", ["source list", "source draft URL"]), ("tap jikan", ["run", "run --source jikan"]),
      ("2023", ["rankings anime --year 2023", "seasons 2023 spring"]), ("25", ["pokedex show 25", "anime show 25"]),
      ("get jobs", ["jobs"]), ("pikachu evolution", ["pokedex evolution pikachu"]), ("help sync", ["help run"]),
      ("-q status", ["status"]), ("anime", ["rankings anime", "anime show WORDS"]), ("exec psql", ["db psql"]),
      ("localhost:8080", ["web", "web --open"]), ("charts japan", ["rankings itunes --country jp"]),
      ("synch", ["run", "run --source NAME"]), ("my list", ["favorites", "favorites add WORDS"]),
    ])
  func commands(typed: String, commands: [String]) {
    let hint = FirstGuess().fault(of: Self.words(typed))?.hint
    #expect(hint == (commands.isEmpty ? nil : Guess.hint(commands)))
  }

  @Test(
    "advice where no command does what the word says",
    arguments: [
      ("stop", "Ctrl-C or SIGTERM"), ("exit", "syncctl help exit"), ("clean", "retention.*"),
      ("docs", "syncctl --help"),
      ("jobs add nightly", "syncctl config names the file"), ("run --resume", "resumes by itself"),
      ("worker --daemon", "a systemd unit"), ("worker --job charts", "syncctl run --job NAME"),
      ("characters", "no characters"), ("completion bash", "--generate-completion-script bash"),
      ("db xyzzy", "syncctl db --help"),
    ])
  func advice(typed: String, hint: String) {
    #expect(FirstGuess().fault(of: Self.words(typed))?.hint.contains(hint) == true)
  }

  @Test("other words may be titles", arguments: ["bebop", "cowboy bebop", "ピカチュウ", "xyzzy 5"])
  func titles(typed: String) {
    let fault = FirstGuess().fault(of: Self.words(typed))
    #expect(fault?.title == typed)
    #expect(fault?.hint.contains("syncctl search \(typed)") == true)
  }

  @Test("empty words and blanks are no titles, and end nothing", arguments: ["", " ", "  \t"])
  func blanks(typed: String) {
    #expect(FirstGuess().fault(of: [typed])?.hint.contains("syncctl --help") == true)
    #expect(FirstGuess().fault(of: ["help", typed])?.hint.contains("--help") == true)
  }

  @Test("no phrase is the name of a command, so each guess is used")
  func table() {
    Registry.$kinds.withValue([RestKind.self]) {
      for guess in Registry.sources.flatMap(\.guesses) + Guess.shared {
        let words = guess.phrase.map { Self.samples[$0] ?? $0 }
        let phrase = words.joined(separator: " ")
        #expect(guess.matches(words), "\(phrase)")
        #expect(FirstGuess().fault(of: words) != nil, "\(phrase)")
      }
    }
  }

  @Test("a kind of favorites belongs to one source")
  func kinds() {
    let kinds = Registry.sources.flatMap { $0.favorites.kinds }
    #expect(Set(kinds).count == kinds.count)
  }

  @Test("words before the first option of psql are one query")
  func query() {
    #expect(DBPsqlCommand.withQuery(["select", "1", "-t"]) == ["-c", "select 1", "-t"])
    #expect(DBPsqlCommand.withQuery(["-t", "-c", "select 1"]) == ["-t", "-c", "select 1"])
    #expect(DBPsqlCommand.withQuery([]) == [])
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

  private static func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }
}
