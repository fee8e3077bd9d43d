/// The members of a record, in the order in which they are added.
struct ITunesMembers {
  private(set) var list: [(String, PokeJSON)] = []
  /// Whether a member without a value is null; else it is missing.
  private let showsNull: Bool

  init(showsNull: Bool) { self.showsNull = showsNull }

  mutating func add(_ name: String, _ value: PokeJSON?) {
    if let value { list.append((name, value)) } else if showsNull { list.append((name, .null)) }
  }

  mutating func add(_ name: String, _ text: String?) { add(name, text.map { PokeJSON.string($0) }) }
  mutating func add(_ name: String, _ number: Int?) { add(name, number.map { PokeJSON.int($0) }) }
  mutating func add(_ name: String, _ flag: Bool?) { add(name, flag.map { PokeJSON.bool($0) }) }

  mutating func add(_ name: String, _ texts: [String]) { add(name, PokeJSON.array(texts.map { .string($0) })) }

  /// A number as it is written.
  mutating func add(_ name: String, number: String) { add(name, PokeJSON(bytes: Array(number.utf8))) }

  /// A name, and the same name as it is shown to children.
  mutating func addName(_ what: String, _ name: String) {
    add("\(what)Name", name)
    add("\(what)CensoredName", name)
  }
}

extension ITunesRecord {
  var json: PokeJSON {
    let members =
      switch address.kind {
      case .song: song
      case .musicVideo: musicVideo
      case .film: film
      case .tvEpisode: tvEpisode
      case .album: album
      case .tvSeason: tvSeason
      case .artist: artistRecord
      case .podcast: podcast
      case .podcastEpisode: podcastEpisode
      case .audiobook: audiobook
      case .ebook: ebook
      case .app, .macApp: app
      }
    return .object(members.list)
  }

  /// A number of this record or of another one, as text if the settings say so.
  func number(_ id: Int?) -> PokeJSON? {
    id.map { draws.isHit(Aspect.textId.rawValue, rate: textIds) ? .string("\($0)") : .int($0) }
  }

  var members: ITunesMembers { ITunesMembers(showsNull: isOld) }

  func addArtwork(_ sizes: [Int], _ folder: String, to members: inout ITunesMembers) {
    for size in sizes { members.add("artworkUrl\(size)", artwork(size, folder)) }
  }

  func addPlace(to members: inout ITunesMembers) {
    members.add("country", store.code)
    members.add("currency", store.currency.code)
    members.add("primaryGenreName", genre.name(language))
  }

  /// Explicit in one case of ten, and cleaned in a few.
  var explicitness: String {
    chance(.explicitness, 10) ? "explicit" : chance(.explicitness, 14) ? "cleaned" : "notExplicit"
  }

  var advisory: String? { explicitness == "explicit" ? "Explicit" : explicitness == "cleaned" ? "Clean" : nil }

  /// Text with what real descriptions contain: markup, entities, and a line separator.
  func description(html: Bool) -> String {
    let sentences = (0..<3).map { ITunesWords.title(draws.of(1000 + $0), language) }.joined(separator: ". ")
    return html ? "<p>“\(name)” &amp; \(sentences).<br /><i>\(artist.name)</i></p>\u{2028}" : "\(name): \(sentences)."
  }
}
