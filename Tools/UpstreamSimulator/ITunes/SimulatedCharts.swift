import Foundation

struct SimulatedCharts {
  let settings: ITunesSettings
  let items: [ITunesItem]

  func answer(_ path: String) -> SimulatedAnswer {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(3).map { String($0) }
    guard parts.count == 5, let limit = Int(parts[3]), limit >= 1 else { return .noFeed }
    let type = String(parts[4].dropLast(5))
    guard let kind = Self.kind(parts[1], parts[2], type) else { return .noFeed }
    guard limit <= 100, let store = ITunesStorefront(parts[0]),
      store.country != "cn" || !["books", "audio-books"].contains(parts[1])
    else { return .feedError }
    let entries = entries(kind, feed: parts[2], key: "\(store.country)/\(parts[2])/\(type)").prefix(limit)
    // The real service still uses this old host name.
    let address = "https://rss.applemarketingtools.com\(path)"
    let now = Self.times.string(from: Date())
    let results = entries.map { entry($0, store, type) }
    let title = "Top \(type.capitalized)"
    let feed: SimulatedJSON = #"""
      {"feed":{"title":\#(title),"id":\#(address),\#
      "author":{"name":"Apple","url":"https://www.apple.com/"},"links":[{"self":\#(address)}],\#
      "copyright":"Copyright © 2026 Apple Inc. All rights reserved.","country":\#(store.country),\#
      "icon":"https://www.apple.com/favicon.ico","updated":\#(now),"results":\#(.array(results))}}
      """#
    return .json(feed.bytes, headers: [HeaderField("Cache-Control", "max-age=300")])
  }

  private static let times = {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss '+0000'"
    return formatter
  }()

  private static func kind(_ media: String, _ feed: String, _ type: String) -> ITunesKind? {
    switch (media, feed, type) {
    case ("music", "most-played", "songs"): .song
    case ("music", "most-played", "albums"): .album
    case ("music", "most-played", "music-videos"): .musicVideo
    case ("apps", "top-free", "apps"), ("apps", "top-paid", "apps"): .app
    case ("books", "top-free", "books"), ("books", "top-paid", "books"): .ebook
    case ("audio-books", "top", "audio-books"): .audiobook
    case ("podcasts", "top", "podcasts"), ("podcasts", "top-subscriber", "podcasts"): .podcast
    case ("podcasts", "top", "podcast-episodes"): .podcastEpisode
    default: nil
    }
  }

  private func entries(_ kind: ITunesKind, feed: String, key: String) -> [ITunesItem] {
    let draws = Draws(seed: 1, stream: 1 << 47)
      .of(Int(truncatingIfNeeded: ConditionalUpstream.digest(Array(key.utf8))))
    func score(_ item: ITunesItem) -> Int {
      draws.of(item.id).draw(0, below: 1000) + draws.of(item.id).of(settings.day).draw(1, below: 500)
    }
    let pool = items.filter { item in
      item.kind == kind && (feed == "top-free" ? item.isFree : feed == "top-paid" ? !item.isFree : true)
    }
    var entries = Array(pool.sorted { (score($0), $0.id) > (score($1), $1.id) }.prefix((pool.count * 4 + 4) / 5))
    let daily = draws.of(-1 - settings.day)
    let index = daily.draw(2, below: 8)
    if index + 2 < entries.count, daily.isHit(1, rate: settings.chartRepeats) { entries[index + 2] = entries[index] }
    return entries
  }

  private func entry(_ item: ITunesItem, _ store: ITunesStorefront, _ type: String) -> SimulatedJSON {
    let record = item.record(in: store)
    let hasArtist = item.kind != .podcast && item.kind != .podcastEpisode
    let genre = "https://itunes.apple.com/\(store.country)/genre/id\(item.genreID)"
    let artist: SimulatedJSON =
      hasArtist ? #""artistId":\#(record.text("artistId")),"artistUrl":\#(record.text("artistViewUrl")),"# : ""
    return #"""
      {"artistName":\#(item.artist),"id":"\#(item.id)","name":\#(item.name),"releaseDate":\#(item.date),\#
      "kind":\#(type),\#(artist)"artworkUrl100":\#(record.text("artworkUrl100", "artworkUrl160")),\#
      "genres":[{"genreId":\#(item.genreID),"name":\#(item.genre),"url":\#(genre)}],\#
      "url":\#(record.text("trackViewUrl", "collectionViewUrl"))}
      """#
  }
}

extension SimulatedAnswer {
  fileprivate static let noFeed = json(#"{"status":404,"error":"Not Found"}"#, status: 404)

  /// The service's answer for an unknown store or a limit above 100.
  fileprivate static let feedError = SimulatedAnswer(
    status: 500, headers: [HeaderField("Content-Type", "text/html;charset=utf-8")],
    body: Array("<!doctype html><html><head><title>HTTP Status 500 – Internal Server Error</title></head></html>".utf8))
}
