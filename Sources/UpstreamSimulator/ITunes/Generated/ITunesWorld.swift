/// All results for one term: artists, albums and their songs, and everything else with the name.
///
/// A world without a term is invented whole; charts are made of such worlds.
struct ITunesWorld: Sendable {
  /// The worlds that have no term; their numbers come first.
  static let inventedCount = 256
  /// Songs of such a world.
  static let inventedSize = 40

  let number: Int
  /// As part of titles and names.
  let term: String?
  let seed: UInt64
  private let added: Int
  /// Songs; there are fewer of all else.
  private let size: Int
  /// The first song of each album.
  private let albumStarts: [Int]

  init(number: Int, term: String?, _ settings: ITunesSettings) {
    self.number = number
    self.term = term
    seed = settings.seed
    added = min(max(0, settings.added), ITunesAddress.addedLimit)
    size = term == nil ? Self.inventedSize : min(max(1, settings.size), ITunesSettings.sizeLimit)
    let draws = Self.draws(seed, number)
    var starts: [Int] = []
    var next = 0
    while next < size {
      starts.append(next)
      let length = draws.of(-1 - starts.count)
      switch length.draw(0, below: 10) {
      case 0..<3: next += 1 + length.draw(1, below: 3)
      case 3..<5: next += 4 + length.draw(1, below: 3)
      default: next += 8 + length.draw(1, below: 8)
      }
    }
    albumStarts = starts
  }

  private static func draws(_ seed: UInt64, _ number: Int) -> Draws { Draws(seed: seed, stream: 1 << 43).of(number) }

  func draws(of address: ITunesAddress) -> Draws { Self.draws(seed, number).of(address.row) }

  // MARK: What there is

  /// All records of a kind, those added later first.
  func addresses(_ kind: ITunesKind) -> [ITunesAddress] {
    (0..<additions(kind)).map { .addition($0, number, kind) }
      + (0..<count(kind)).map { ITunesAddress(number, kind, $0) }
  }

  func has(_ address: ITunesAddress) -> Bool {
    if let addition = address.addition { return addition < additions(address.kind) }
    return address.index < count(address.kind)
  }

  private func count(_ kind: ITunesKind) -> Int {
    switch kind {
    case .song: size
    case .album: albumStarts.count
    case .artist: ITunesRole.allCases.count
    case .podcast: podcasts
    case .podcastEpisode: podcasts * Self.episodesOfPodcast
    case .tvSeason: seasons
    case .tvEpisode: seasons * Self.episodesOfSeason
    case .ebook, .app: max(1, size / 5)
    case .musicVideo, .audiobook, .film: max(1, size / 10)
    case .macApp: max(1, size / 20)
    }
  }

  private func additions(_ kind: ITunesKind) -> Int {
    switch kind {
    case .artist, .tvSeason: 0
    case .album: min(added, 1)
    default: added
    }
  }

  static let episodesOfPodcast = 30
  static let episodesOfSeason = 10
  private var podcasts: Int { min(max(1, size / 10), 128) }
  private var seasons: Int { max(1, size / 20) }

  // MARK: What belongs together

  /// The album of a song; songs that were added later have their own.
  func album(ofSong song: ITunesAddress) -> ITunesAddress {
    if song.addition != nil { return .addition(0, number, .album) }
    var (low, high) = (0, albumStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if albumStarts[middle] <= song.index { low = middle } else { high = middle }
    }
    return ITunesAddress(number, .album, low)
  }

  /// In the order of their numbers on the album.
  func songs(ofAlbum album: ITunesAddress) -> [ITunesAddress] {
    if album.addition != nil { return (0..<added).map { .addition($0, number, .song) } }
    guard albumStarts.indices.contains(album.index) else { return [] }
    let end = album.index + 1 < albumStarts.count ? min(size, albumStarts[album.index + 1]) : size
    return (albumStarts[album.index]..<end).map { ITunesAddress(number, .song, $0) }
  }

  func podcast(ofEpisode episode: ITunesAddress) -> ITunesAddress {
    ITunesAddress(number, .podcast, episode.addition == nil ? episode.index / Self.episodesOfPodcast : 0)
  }

  func season(ofEpisode episode: ITunesAddress) -> ITunesAddress {
    ITunesAddress(number, .tvSeason, episode.addition == nil ? episode.index / Self.episodesOfSeason : 0)
  }

  func episodes(ofPodcast podcast: ITunesAddress) -> [ITunesAddress] {
    addresses(.podcastEpisode).filter { self.podcast(ofEpisode: $0) == podcast }
  }

  func episodes(ofSeason season: ITunesAddress) -> [ITunesAddress] {
    addresses(.tvEpisode).filter { self.season(ofEpisode: $0) == season }
  }

  /// Whose work a record is: mostly of the artist who is named like the term, sometimes of another one, whose work is
  /// about it.
  func role(of address: ITunesAddress) -> ITunesRole {
    let isOther = address.addition == nil && draws(of: address).draw(1, below: 100) >= 75
    switch address.kind {
    case .artist: return ITunesRole(rawValue: address.index) ?? .musician
    case .song:
      let album = album(ofSong: address)
      return isCompilation(album) ? musician(address) : role(of: album)
    case .album: return isCompilation(address) ? .variousArtists : isOther ? musician(address) : .musician
    case .musicVideo: return isOther ? musician(address) : .musician
    case .audiobook, .ebook: return isOther ? .otherAuthor : .author
    case .app, .macApp: return .developer
    case .podcast, .podcastEpisode: return .podcaster
    case .film: return .studio
    case .tvEpisode, .tvSeason: return .series
    }
  }

  func isCompilation(_ album: ITunesAddress) -> Bool {
    album.addition == nil && songs(ofAlbum: album).count > 7 && draws(of: album).draw(2, below: 100) < 8
  }

  private func musician(_ address: ITunesAddress) -> ITunesRole {
    let others = ITunesRole.otherMusicians
    return others[draws(of: address).draw(3, below: others.count)]
  }

  /// Whether it is found because of who made it; else because of its title.
  func isByName(_ address: ITunesAddress) -> Bool {
    let role = role(of: address)
    guard [.developer, .podcaster, .studio].contains(role) else { return role.bearsTerm }
    return draws(of: address).draw(4, below: 10) < 7
  }

  func artist(_ role: ITunesRole) -> ITunesAddress { ITunesAddress(number, .artist, role.rawValue) }
}

/// The artists of a world, by what they are artists of; the raw value is a part of their number.
enum ITunesRole: Int, Sendable, CaseIterable {
  case musician
  case secondMusician
  case thirdMusician
  case fourthMusician
  case author
  case otherAuthor
  case developer
  case podcaster
  case studio
  case series
  case variousArtists

  static let musicians: [ITunesRole] = [.musician] + otherMusicians
  static let otherMusicians: [ITunesRole] = [.secondMusician, .thirdMusician, .fourthMusician]

  /// Whether the name is the term itself.
  var bearsTerm: Bool { [.musician, .author, .developer, .podcaster, .studio, .series].contains(self) }

  /// What a record of the artist says.
  var type: String {
    switch self {
    case .author, .otherAuthor: "Author"
    case .developer: "Software Artist"
    case .podcaster: "Podcast Artist"
    case .studio: "Movie Artist"
    case .series: "TV Show"
    default: "Artist"
    }
  }
}
