/// What a generated catalogue consists of; the raw value is a part of the number that every record has.
enum ITunesKind: Int, Sendable, CaseIterable {
  case song
  case album
  case musicVideo
  case artist
  case podcast
  case podcastEpisode
  case audiobook
  case ebook
  case app
  case macApp
  case film
  case tvEpisode
  case tvSeason

  /// Artists and apps have one number in all stores, as in truth; all others have another one in each.
  var isShared: Bool { [.artist, .app, .macApp].contains(self) }
}

/// Identifies a record of a generated catalogue, in any store.
struct ITunesAddress: Sendable, Hashable {
  /// Records of one kind in one world; the last ``addedLimit`` of them are those that come later.
  static let records = 1 << 12
  static let worlds = 1 << 17
  static let addedLimit = 64

  let world: Int
  let kind: ITunesKind
  let index: Int

  init(_ world: Int, _ kind: ITunesKind, _ index: Int) {
    self.world = world
    self.kind = kind
    self.index = index
  }

  /// Nil for a number beyond all worlds or of no kind.
  init?(row: Int) {
    let world = row / Self.records / 16
    guard world < Self.worlds, let kind = ITunesKind(rawValue: row / Self.records % 16) else { return nil }
    self.init(world, kind, row % Self.records)
  }

  var row: Int { (world * 16 + kind.rawValue) * Self.records + index }

  /// The index of a record that was added later, from 0 on, or nil for one that was always there.
  var addition: Int? {
    let place = Self.records - 1 - index
    return place < Self.addedLimit ? place : nil
  }

  static func addition(_ number: Int, _ world: Int, _ kind: ITunesKind) -> ITunesAddress {
    ITunesAddress(world, kind, records - 1 - number)
  }
}

/// The numbers of records, and the records of numbers: nothing is kept, and another store has other numbers.
struct ITunesIdentifiers: Sendable {
  /// Apart from the streams of everything else that is generated.
  private static let firstStream: UInt64 = 1 << 42
  /// Episodes have thirteen digits.
  private static let firstEpisode = 1_000_000_000_000

  let seed: UInt64

  func id(of address: ITunesAddress, in store: ITunesStorefront) -> Int {
    if address.kind.isShared { return scattered(nil).identifier(ofRow: address.row) * 2 + 1 }
    let id = scattered(store).identifier(ofRow: address.row) * 2
    return address.kind == .podcastEpisode ? id + Self.firstEpisode : id
  }

  /// Nil for a number that no record of this store has; one that is not nil may still name a record that is not there.
  func address(of id: Int, in store: ITunesStorefront) -> ITunesAddress? {
    let isEpisode = id >= Self.firstEpisode
    let number = isEpisode ? id - Self.firstEpisode : id
    let isShared = number % 2 == 1
    guard let row = scattered(isShared ? nil : store).row(ofIdentifier: number / 2),
      let address = ITunesAddress(row: row), address.kind.isShared == isShared,
      (address.kind == .podcastEpisode) == isEpisode
    else { return nil }
    return address
  }

  private func scattered(_ store: ITunesStorefront?) -> ScatteredIdentifiers {
    ScatteredIdentifiers(seed: seed, stream: Self.firstStream + (store?.number ?? 0), halfBits: 17)
  }
}
