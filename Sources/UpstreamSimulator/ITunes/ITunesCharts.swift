import Foundation

/// The charts of the stores: `/api/v2/{country}/{media}/{feed}/{limit}/{type}.json`.
struct ITunesCharts {
  static let longest = 100
  /// Worlds that charts are made of, and records of each.
  private static let (worlds, recordsOfWorld) = (150, 3)

  let settings: ITunesSettings
  let catalogue: ITunesCatalogue

  func answer(_ path: String) -> SimulatedAnswer {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(3).map { String($0) }
    guard parts.count == 5, parts[4].hasSuffix(".json"), let limit = Int(parts[3]), limit >= 1 else { return .noFeed }
    let name = Name(media: parts[1], feed: parts[2], type: String(parts[4].dropLast(5)))
    guard let kind = name.kind else { return .noFeed }
    guard limit <= Self.longest, let store = ITunesStorefront(parts[0]), store.has(name) else { return .feedError }
    let entries = entries(of: name, kind, in: store, limit)
    return .json(feed(name, store, entries, path: path).bytes, headers: [HeaderField("Cache-Control", "max-age=300")])
  }

  struct Name {
    var media: String
    var feed: String
    var type: String

    /// What the chart holds; nil where there is no such chart.
    var kind: ITunesKind? {
      switch (media, feed, type) {
      case ("music", "most-played", "songs"): .song
      case ("music", "most-played", "albums"): .album
      case ("apps", "top-free", "apps"), ("apps", "top-paid", "apps"): .app
      case ("books", "top-free", "books"), ("books", "top-paid", "books"): .ebook
      case ("audio-books", "top", "audio-books"): .audiobook
      case ("podcasts", "top", "podcasts"), ("podcasts", "top-subscriber", "podcasts"): .podcast
      case ("podcasts", "top", "podcast-episodes"): .podcastEpisode
      default: nil
      }
    }
  }

  // MARK: Entries

  /// The first of a pool, by a score that drifts from week to week and shakes from day to day.
  private func entries(
    of name: Name, _ kind: ITunesKind, in store: ITunesStorefront, _ limit: Int
  ) -> [ITunesRecord] {
    let key = "\(store.country)/\(name.media)/\(name.feed)/\(name.type)"
    let draws = Draws(seed: settings.seed, stream: 1 << 47)
      .of(Int(truncatingIfNeeded: ConditionalUpstream.digest(Array(key.utf8))))
    let day = max(0, settings.day)
    let pool = pool(kind, store).filter { record in
      guard ["top-free", "top-paid"].contains(name.feed) else { return true }
      return record.isFree == (name.feed == "top-free")
    }
    let ranked = pool.map { (score: Self.score(draws.of($0.address.row), day), record: $0) }
      .sorted { ($0.score, $0.record.address.row) > ($1.score, $1.record.address.row) }
    let daily = draws.of(-1 - day)
    // Charts of albums are shorter than requested, by another number each day.
    let most = kind == .album ? 64 - daily.draw(0, below: 7) : Self.longest
    var entries = ranked.prefix(most).map(\.record)
    // In the upper part, so that short charts have it too.
    let place = daily.draw(2, below: 8)
    if place + 2 < entries.count, daily.isHit(1, rate: settings.chartRepeats) { entries[place + 2] = entries[place] }
    return Array(entries.prefix(limit))
  }

  private func pool(_ kind: ITunesKind, _ store: ITunesStorefront) -> [ITunesRecord] {
    (0..<Self.worlds).flatMap { number -> [ITunesRecord] in
      guard let world = catalogue.world(number, settings) else { return [] }
      return (0..<Self.recordsOfWorld).map { ITunesAddress(number, kind, $0) }.filter { world.has($0) }.map {
        ITunesRecord(
          world: world, address: $0, store: store, language: store.language, isOld: false, textIds: 0)
      }.filter { $0.isAvailable && (settings.removed.isEmpty || !settings.removed.contains($0.id)) }
    }
  }

  private static func score(_ draws: Draws, _ day: Int) -> Int {
    func week(_ number: Int) -> Int { draws.of(number).draw(1, below: 1000) }
    let (number, within) = (day / 7, day % 7)
    let drift = (week(number) * (7 - within) + week(number + 1) * within) / 7
    return draws.draw(0, below: 1000) + drift + draws.of(day).draw(2, below: 500)
  }

  // MARK: The answer

  private func feed(
    _ name: Name, _ store: ITunesStorefront, _ entries: [ITunesRecord], path: String
  ) -> PokeJSON {
    // The old name of the host, as in truth.
    let address = PokeJSON.string("https://rss.applemarketingtools.com\(path)")
    // The time of the answer; it says nothing of the chart.
    let now = HTTPDate.text(Date()).replacing("GMT", with: "+0000")
    return [
      "feed": [
        "title": .string("Top \(name.type.capitalized)"), "id": address,
        "author": ["name": "Apple", "url": "https://www.apple.com/"], "links": [["self": address]],
        "copyright": "Copyright © 2026 Apple Inc. All rights reserved.", "country": .string(store.country),
        "icon": "https://www.apple.com/favicon.ico", "updated": .string(now),
        "results": .array(entries.map { entry($0, name.type) }),
      ]
    ]
  }

  private func entry(_ record: ITunesRecord, _ type: String) -> PokeJSON {
    let artist = record.artist
    var members = ITunesMembers(showsNull: false)
    members.add("artistName", artist.name)
    members.add("id", "\(record.id)")
    members.add("name", record.name)
    members.add("releaseDate", record.chance(.presence, 3) ? nil : String(record.releaseDate.prefix(10)))
    members.add("kind", type)
    // Not everybody who makes a podcast is an artist.
    if record.address.kind != .podcast && record.address.kind != .podcastEpisode {
      members.add("artistId", "\(artist.id)")
      members.add("artistUrl", artist.page("music", "artist", artist.name, artist.id))
    }
    // Spelled so.
    members.add("contentAdvisoryRating", record.explicitness == "explicit" ? "Explict" : nil)
    members.add("artworkUrl100", record.artwork(100))
    let genre = record.genre
    members.add(
      "genres",
      PokeJSON.array(
        [
          (genre.id, genre.name(record.language)),
          (ITunesGenre.allMusic.id, ITunesGenre.allMusic.name(record.language)),
        ]
        .map { id, name in
          [
            "genreId": .string("\(id)"), "name": .string(name),
            "url": .string("https://itunes.apple.com/\(record.store.country)/genre/id\(id)"),
          ]
        }))
    members.add("url", record.page("music", String(type.dropLast()), record.name, record.id))
    return .object(members.list)
  }
}

extension ITunesStorefront {
  /// Whether the store has the chart; where it sells no books, it has none of them.
  fileprivate func has(_ chart: ITunesCharts.Name) -> Bool {
    country != "cn" || !["books", "audio-books"].contains(chart.media)
  }
}

extension SimulatedAnswer {
  fileprivate static let noFeed = json(#"{"status":404,"error":"Not Found"}"#, status: 404)

  /// Also for a store that does not exist: permanent, though it looks like a temporary error.
  fileprivate static let feedError = SimulatedAnswer(
    status: 500, headers: [HeaderField("Content-Type", "text/html;charset=utf-8")],
    body: Array("<!doctype html><html><head><title>HTTP Status 500 – Internal Server Error</title></head></html>".utf8))
}
