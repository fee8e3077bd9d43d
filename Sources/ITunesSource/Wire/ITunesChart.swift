import SyncCore
import SyncProgram

/// A chart of a storefront. Its parameters are valid.
struct ITunesChart: Sendable, Hashable {
  /// The configured name, or a name that begins with `@` and is derived from the parameters.
  let name: String
  let country: String
  let media: String
  let feed: String
  let type: String
  let limit: Int

  /// The usual chart of each kind of media. Playlists are missing, because their ids are not numbers.
  static let kinds: [(media: String, feed: String, type: String)] = [
    ("music", "most-played", "songs"), ("music", "most-played", "albums"), ("music", "most-played", "music-videos"),
    ("apps", "top-free", "apps"), ("apps", "top-paid", "apps"),
    ("books", "top-free", "books"), ("books", "top-paid", "books"),
    ("audio-books", "top", "audio-books"),
    ("podcasts", "top", "podcasts"), ("podcasts", "top", "podcast-episodes"),
    ("podcasts", "top-subscriber", "podcasts"),
  ]

  /// The lengths of a chart that the service accepts.
  static let limits = 1...100

  /// Checks the parameters. A missing feed or type becomes the first value that fits the other parameters.
  /// - Throws: `SyncError` `.usage` that lists the valid values.
  init(
    name: String? = nil, country: String = "us", media: String = "music", feed: String? = nil, type: String? = nil,
    limit: Int = 100
  ) throws(SyncError) {
    self.country = try ITunesRules.country(country)
    self.media = try ITunesRules.word(media, "media", of: Self.kinds.map(\.media).distinct())
    let ofMedia = Self.kinds.filter { $0.media == media }
    if let feed {
      self.feed = try ITunesRules.word(feed, "feed", of: ofMedia.map(\.feed).distinct(), in: " for media \(self.media)")
    } else {
      self.feed = ofMedia.first { type == nil || $0.type == type }?.feed ?? ofMedia.first?.feed ?? ""
    }
    let types = ofMedia.filter { [chosen = self.feed] in $0.feed == chosen }.map(\.type)
    if let type {
      self.type = try ITunesRules.word(type, "type", of: types, in: " for \(self.media) \(self.feed)")
    } else {
      self.type = types.first ?? ""
    }
    self.limit = try ITunesRules.number(limit, "limit", in: Self.limits)
    let values = [self.country, self.media, self.feed, self.type, "\(limit)"]
    let derived = ITunesQuery.name(label: "\(self.country) \(self.type)", values)
    self.name = try name.map(ITunesRules.name) ?? derived
  }

  /// The charts of a storefront that are mirrored without configuration.
  static func defaults(country: String = "us") throws(SyncError) -> [ITunesChart] {
    [
      try ITunesChart(name: "\(country)-songs", country: country, type: "songs"),
      try ITunesChart(name: "\(country)-albums", country: country, type: "albums"),
      try ITunesChart(name: "\(country)-apps", country: country, media: "apps"),
      try ITunesChart(name: "\(country)-podcasts", country: country, media: "podcasts"),
    ]
  }

  var path: String { "/api/v2/\(country)/\(media)/\(feed)/\(limit)/\(type).json" }

  /// The values that identify the chart in the parameters of its SQL. The length of the chart is not included.
  var scope: [String] { [country, media, feed, type] }
}
