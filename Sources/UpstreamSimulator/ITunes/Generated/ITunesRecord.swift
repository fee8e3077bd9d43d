import Foundation

/// One record as a store shows it: the facts that all kinds share.
struct ITunesRecord {
  let world: ITunesWorld
  let address: ITunesAddress
  let store: ITunesStorefront
  let language: ITunesLanguage
  /// As the addresses of 2011 still answer: members that are null instead of missing, and dates in another form.
  let isOld: Bool
  /// Share of records whose numbers come as text.
  let textIds: Double

  /// What may be drawn for a record; the world's own draws have the numbers below 10, titles those from 90 on.
  enum Aspect: Int {
    case genre = 10
    case year, month, day, hour, price, length, rating, ratings, bytes, version, presence, explicitness, artwork
    case copyright, availability, textId, repeats
  }

  var id: Int { identifiers.id(of: address, in: store) }
  var draws: Draws { world.draws(of: address) }

  private var identifiers: ITunesIdentifiers { ITunesIdentifiers(seed: world.seed) }

  func draw(_ aspect: Aspect, below limit: Int) -> Int { draws.draw(aspect.rawValue, below: limit) }
  func chance(_ aspect: Aspect, _ percent: Int) -> Bool { draw(aspect, below: 100) < percent }

  /// Another record as the same store shows it.
  func other(_ address: ITunesAddress) -> ITunesRecord {
    ITunesRecord(
      world: world, address: address, store: store, language: language, isOld: isOld, textIds: textIds)
  }

  /// Whether the store sells it; of what has the same number everywhere, each store lacks something.
  var isAvailable: Bool {
    guard address.kind == .app || address.kind == .macApp else { return true }
    return draws.of(Int(store.number)).draw(Aspect.availability.rawValue, below: 100) < 90
  }

  // MARK: Names

  var artist: ITunesRecord { other(world.artist(world.role(of: address))) }

  /// The title, or the name of an artist.
  var name: String {
    switch address.kind {
    case .artist: return artistName
    case .tvSeason: return "\(artist.name), \(Self.season(address.index + 1, language))"
    case .album: return albumName
    case .podcastEpisode: return "\(episodeNumber): \(ITunesWords.title(draws, language))"
    default: break
    }
    guard let term = world.term, !world.isByName(address) else { return ITunesWords.title(draws, language) }
    return ITunesWords.title(about: term, draws, language)
  }

  private var artistName: String {
    guard let role = ITunesRole(rawValue: address.index) else { return "" }
    if role == .variousArtists {
      return language == .english ? "Various Artists" : language == .japanese ? "ヴァリアス・アーティスト" : "群星"
    }
    guard role.bearsTerm else { return ITunesWords.name(draws, language) }
    guard let term = world.term else {
      return role == .series ? ITunesWords.title(draws, language) : ITunesWords.name(draws, language)
    }
    return term
  }

  private var albumName: String {
    let songs = world.songs(ofAlbum: address)
    let bearsTerm = world.term != nil && !world.isByName(address)
    let title = bearsTerm ? ITunesWords.title(about: world.term ?? "", draws, language) : nil
    if let title, songs.count > 3 { return title }
    guard songs.count > 3, let first = songs.first else {
      return "\(songs.first.map { other($0).name } ?? title ?? ITunesWords.title(draws, language)) - Single"
    }
    return songs.count < 7 ? "\(other(first).name) - EP" : ITunesWords.title(draws, language)
  }

  /// An episode's place in the podcast, from the newest.
  var episodeNumber: Int {
    if let addition = address.addition { return ITunesWorld.episodesOfPodcast + addition + 1 }
    return ITunesWorld.episodesOfPodcast - address.index % ITunesWorld.episodesOfPodcast
  }

  private static func season(_ number: Int, _ language: ITunesLanguage) -> String {
    switch language {
    case .english: "Season \(number)"
    case .japanese: "シーズン\(number)"
    case .chinese: "第 \(number) 季"
    }
  }

  // MARK: Genres and dates

  var genre: ITunesGenre {
    let genres: [ITunesGenre] =
      switch address.kind {
      case .podcast, .podcastEpisode: ITunesGenre.podcasts
      case .audiobook: ITunesGenre.audiobooks
      case .ebook: ITunesGenre.books
      case .app, .macApp: ITunesGenre.apps
      case .film: isShortFilm ? [ITunesGenre.shortFilm] : ITunesGenre.films
      case .tvEpisode, .tvSeason: ITunesGenre.series
      case .song, .album, .musicVideo, .artist: ITunesGenre.music
      }
    // What belongs together is of one genre, and so is an artist's music.
    let isMusic = [.song, .album, .musicVideo].contains(address.kind)
    return genres[(isMusic ? artist : owner ?? self).draw(.genre, below: genres.count)]
  }

  var isShortFilm: Bool { address.kind == .film && chance(.presence, 20) }

  /// The collection that a record is a part of.
  var owner: ITunesRecord? {
    switch address.kind {
    case .song: other(world.album(ofSong: address))
    case .podcastEpisode: other(world.podcast(ofEpisode: address))
    case .tvEpisode: other(world.season(ofEpisode: address))
    default: nil
    }
  }

  /// A day, at an hour that says where it was midnight or noon; episodes and apps have a time.
  var releaseDate: String {
    let date = owner ?? self
    let year: Int =
      switch address.kind {
      case _ where address.addition != nil: 2026
      case .audiobook, .ebook: date.chance(.year, 20) ? 1865 + date.draw(.ratings, below: 90) : date.recentYear(30)
      case .app, .macApp, .podcast, .podcastEpisode: date.recentYear(8)
      case .musicVideo: date.recentYear(25)
      default: date.chance(.year, 5) ? 1955 + date.draw(.ratings, below: 15) : date.recentYear(30)
      }
    let day = Self.twoDigits(1 + (address.kind == .podcastEpisode ? episodeNumber % 28 : date.draw(.day, below: 28)))
    let month = Self.twoDigits(1 + date.draw(.month, below: 12))
    let hours = [.album, .audiobook, .ebook, .film].contains(address.kind) ? ["07", "08"] : ["07", "08", "12"]
    let time = hasTime ? exactTime : "\(hours[date.draw(.hour, below: hours.count)]):00:00"
    return isOld ? "\(year)-\(month)-\(day) \(time) Etc/GMT" : "\(year)-\(month)-\(day)T\(time)Z"
  }

  private var hasTime: Bool { [.podcast, .podcastEpisode, .app, .macApp].contains(address.kind) }

  private var exactTime: String {
    [24, 60, 60].enumerated().map { Self.twoDigits(draws.draw(80 + $0.offset, below: $0.element)) }
      .joined(separator: ":")
  }

  private func recentYear(_ years: Int) -> Int { 2026 - draw(.ratings, below: years) }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  // MARK: Addresses

  /// A page of the store, with a meaningless query.
  func page(_ host: String, _ kind: String, _ title: String, _ id: Int, _ query: String = "") -> String {
    "https://\(host).apple.com/\(store.country)/\(kind)/\(Self.slug(title))/\(id)?\(query)uo=4"
  }

  /// A title as part of a path.
  private static func slug(_ title: String) -> String {
    let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    return words.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-"])) ?? "id"
  }

  func artwork(_ size: Int, _ folder: String = "Music") -> String {
    let digits = Array("0123456789abcdef")
    let draws = (owner ?? self).draws
    let name = String((0..<32).map { digits[draws.draw(200 + $0, below: 16)] })
    let server = 1 + draws.draw(Aspect.artwork.rawValue, below: 5)
    let path = "\(folder)\(100 + draws.draw(199, below: 30))/v4/\(name.prefix(2))/\(name.dropFirst(2).prefix(2))"
    return "https://is\(server)-ssl.mzstatic.com/image/thumb/\(path)/\(name)/source/\(size)x\(size)bb.jpg"
  }

  func preview(_ kind: String, _ ending: String) -> String {
    "https://\(kind)-ssl.itunes.apple.com/itunes-assets/\(kind)/v4/mzaf_\(id).plus.\(ending)"
  }

  // MARK: Money

  /// A price in the store's currency; a negative one says that it is not sold alone.
  func price(cents: Int) -> PokeJSON {
    PokeJSON(bytes: Array((cents < 0 ? "-1.00" : store.currency.text(cents: cents)).utf8))
  }

  /// Whether an app or a book costs nothing.
  var isFree: Bool { cents == 0 }

  /// What an app or a book costs, in cents of the US dollar.
  var cents: Int { prices(address.kind == .ebook ? [0, 99, 599, 999] : [0, 0, 0, 199, 499]) }

  func prices(_ amounts: [Int]) -> Int { amounts[draw(.price, below: amounts.count)] }
}
