import SyncCore
import SyncPostgres
import Testing

@testable import ITunesSource
@testable import SyncProgram

@Suite(.boundSources)
struct ITunesChoiceTests {
  @Test func orders() throws {
    for word in ["relevance", "artist", "release", "price"] {
      #expect(try ITunesQueries.Sort.named(word, "order").rawValue == word)
    }
    let error = #expect(throws: SyncError.self) { _ = try ITunesQueries.Sort.named("Artist", "order") }
    #expect(error?.code == .usage)
    #expect(error?.hint == "did you mean artist? known: relevance, artist, release, price")
  }

  @Test func anEntityStandsForClassesAndKinds() {
    #expect(ITunesChoice.items(media: nil, entity: nil) == .init())
    #expect(ITunesChoice.items(media: "all", entity: nil) == .init())
    #expect(ITunesChoice.items(media: nil, entity: "song") == .init(classes: [.track], kinds: ["song"]))
    #expect(ITunesChoice.items(media: "music", entity: "album") == .init(classes: [.collection]))
    #expect(
      ITunesChoice.items(media: "music", entity: nil) == .init(classes: [.track], kinds: ["song", "music-video"]))
    #expect(ITunesChoice.items(media: "tvShow", entity: nil) == .init(classes: [.track], kinds: ["tv-episode"]))
    #expect(ITunesChoice.items(media: "podcast", entity: "podcastAuthor") == .init(classes: [.artist]))
  }

  @Test func everyEntityAndEveryMediaStandsForSomething() {
    for entity in ITunesVocabulary.entities(of: nil) {
      #expect(!ITunesChoice.items(media: nil, entity: entity).classes.isEmpty, "\(entity)")
    }
    for media in ITunesVocabulary.media where media != "all" {
      #expect(!ITunesChoice.items(media: media, entity: nil).classes.isEmpty, "\(media)")
    }
  }

  @Test func aThrottledQuestionIsToBeAskedLater() {
    let words = "throttled: https://x answered 403"
    let kept = SyncError(.upstream, words, hint: "wait", disposition: .throttled(after: .seconds(300)))
    let first = ITunesQuestion.explained(kept)
    #expect(first.code == .tryLater && first.message == words)
    #expect(first.hint == "the service is not queried again for 5 min 00 s; wait; --offline answers from the mirror")
    let unnamed = ITunesQuestion.explained(
      SyncError(.upstream, words, hint: "wait", disposition: .throttled(after: nil)))
    #expect(unnamed.code == .tryLater && unnamed.hint == "wait; --offline answers from the mirror")
  }

  @Test func otherFailuresKeepTheirStatus() {
    for code in [SyncError.Code.upstream, .tryLater] {
      let error = ITunesQuestion.explained(SyncError(code, "throttled: x"))
      #expect(error.code == code && error.hint == "--offline answers from the mirror")
    }
    for code in [SyncError.Code.usage, .configuration, .database, .permission, .leaseHeld] {
      let error = SyncError(code, "m", hint: "h")
      #expect(ITunesQuestion.explained(error).description == error.description)
    }
  }

  private static func chart(_ country: String, _ media: String, _ feed: String, _ type: String) -> ITunesCharts.Chart {
    ITunesCharts.Chart(country: country, media: media, feed: feed, type: type)
  }

  private static let known = [
    chart("tw", "music", "most-played", "songs"), chart("us", "apps", "top-paid", "apps"),
    chart("us", "apps", "top-free", "apps"), chart("us", "music", "most-played", "songs"),
  ]

  @Test func theChartThatMostPeopleMean() throws {
    let apps = try ITunesChartChoice(type: "apps", country: "US", feed: nil)
    #expect(try apps.choose(among: Self.known).feed == "top-free")
    #expect(try apps.choose(among: Array(Self.known.prefix(2))).feed == "top-paid")
    let paid = try ITunesChartChoice(type: "apps", country: "us", feed: "top-paid")
    #expect(try paid.choose(among: Self.known).feed == "top-paid")
    #expect(try ITunesChartChoice(type: "songs", country: "tw", feed: nil).choose(among: Self.known).country == "tw")
  }

  @Test(arguments: [("albums", "us", nil), ("apps", "tw", nil), ("apps", "us", "top"), ("", "us", nil)])
  func aChartThatIsNotMirrored(type: String, country: String, feed: String?) throws {
    let choice = try ITunesChartChoice(type: type, country: country, feed: feed)
    let error = try #require(throws: SyncError.self) { _ = try choice.choose(among: Self.known) }
    #expect(error.code == .usage)
    #expect(error.hint == "mirrored: tw most-played songs, us top-paid apps, us top-free apps, us most-played songs")
    #expect(throws: SyncError.self) { _ = try ITunesChartChoice(type: "songs", country: "usa", feed: nil) }
  }

  @Test func favoritesOfITunes() throws {
    for kind in ["track", "album", "artist", "podcast", "audiobook", "ebook", "app"] {
      let item = try FavoriteWords.item(source: "itunes", kind: kind, id: 5)
      #expect(item.source == "itunes" && item.kind == kind && item.id == 5)
    }
    let error = #expect(throws: SyncError.self) { _ = try FavoriteWords.item(source: "itunes", kind: "song", id: 5) }
    #expect(error?.code == .usage && error?.hint?.contains("track, album") == true)
  }
}
