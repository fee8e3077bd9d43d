import ArgumentParser
import SyncCore
import SyncPostgres
import SyncSources

struct RankingsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rankings",
    abstract: "Show rankings from the mirror, as they are and as they were.",
    discussion: """
      Examples:
        syncctl rankings jikan --limit 5
        syncctl rankings jikan --kind manga --by favorites
        syncctl rankings jikan --as-of 2026-11-01
        syncctl rankings movers --since 7d
        syncctl rankings history anime 5114
        syncctl rankings pokeapi --by speed
        syncctl rankings itunes --chart albums --country tw
      """,
    subcommands: [
      RankingsJikanCommand.self, RankingsMoversCommand.self, RankingsHistoryCommand.self, RankingsPokeAPICommand.self,
      RankingsITunesCommand.self,
    ])
}

/// Which of Jikan's lists is asked for, in words that are checked.
enum JikanListChoice {
  /// - Throws: `SyncError` `.usage` naming the kinds there are.
  static func kind(_ word: String) throws(SyncError) -> JikanKind {
    guard let kind = JikanKind(rawValue: word) else {
      throw unknown("kind", word, JikanKind.allCases.map(\.rawValue))
    }
    return kind
  }

  /// - Returns: the upstream's name of the type; nil for all.
  /// - Throws: `SyncError` `.usage` naming the types there are.
  static func subtype(_ word: String, of kind: JikanKind) throws(SyncError) -> String? {
    guard word == "all" || kind.subtypes.contains(word) else {
      throw unknown("type of \(kind.rawValue)", word, ["all"] + kind.subtypes)
    }
    return word == "all" ? nil : word
  }

  /// - Throws: `SyncError` `.usage` for what is no time.
  static func moment(_ word: String, option: String) throws(SyncError) -> Moment {
    guard let moment = Moment(word) else {
      throw SyncError(
        .usage, "\(option): \(Excerpt.of(word, scalars: 40)) is not a time",
        hint: "write it as 2026-11-21, 2026-11-21T04:00:00Z (UTC without a zone), or 24h, 7d, 2w for so long ago")
    }
    return moment
  }

  static func unknown(_ what: String, _ word: String, _ known: [String]) -> SyncError {
    SyncError(
      .usage, "there is no \(what) \(Excerpt.of(word, scalars: 40))", hint: "known: \(known.joined(separator: ", "))")
  }
}
