import Foundation
import SyncCore
import SyncProgram

/// The identity of a record: its class and its id, which is unique only within the class.
struct ITunesRecord: Sendable, Equatable {
  let recordClass: ITunesClass
  let kind: String?
  let id: Int64

  /// The key of the mirror: the id and, in the lowest four bits, the class.
  var key: Int64 { recordClass.key(id) }

  /// - Throws: `DecodingError` if the document is not an object, or `FieldFault` if it has no usable id of its class.
  init(_ document: [UInt8]) throws {
    let wire = try JSONDecoder().decode(Wire.self, from: Data(document))
    let recordClass = Self.recordClass(of: wire)
    var id: Int64?
    for name in recordClass.identities where id == nil {
      if case .id(let found) = wire.ids[name] { id = found }
    }
    guard let id else { throw Self.fault(recordClass, wire) }
    self.recordClass = recordClass
    self.kind = wire.kind
    self.id = id
  }

  /// Decides by `kind`, or else by `wrapperType`. Albums have no kind, ebooks have no wrapper type, and podcasts have
  /// the wrapper type `track`.
  private static func recordClass(of wire: Wire) -> ITunesClass {
    switch wire.kind {
    case "song", "music-video", "feature-movie", "tv-episode", "coached-audio", "interactive-booklet", "pdf": .track
    case "album": .collection
    case "artist": .artist
    case "podcast": .podcast
    case "podcast-episode": .podcastEpisode
    case "ebook": .ebook
    case "book": wire.wrapperType == "audiobook" ? .audiobook : .ebook
    case "software", "mac-software", "software-package": .app
    default: wrappedClass(of: wire)
    }
  }

  private static func wrappedClass(of wire: Wire) -> ITunesClass {
    switch wire.wrapperType {
    case "collection": .collection
    case "artist": .artist
    case "audiobook": .audiobook
    case "podcastEpisode": .podcastEpisode
    case "ebook": .ebook
    case "software": .app
    case "track" where wire.kind == nil: .track
    case nil where wire.kind == nil && wire.collectionType != nil: .collection
    case nil where wire.kind == nil && wire.artistType != nil: .artist
    default: .other
    }
  }

  private static func fault(_ recordClass: ITunesClass, _ wire: Wire) -> FieldFault {
    let names = recordClass.identities
    let what = names.map { name in
      if case .unusable = wire.ids[name] { "\(name.rawValue): not an id" } else { "\(name.rawValue): missing" }
    }
    return FieldFault(reason: "no_id", detail: "\(what.joined(separator: ", ")) (of \(recordClass.rawValue))")
  }
}

/// The members of a record that can contain its id.
enum ITunesIDMember: String, CodingKey, CaseIterable {
  case trackId, collectionId, artistId
}

extension ITunesClass {
  /// The members that can contain the id, in order of preference. A song without `trackId` does not get its album's id.
  fileprivate var identities: [ITunesIDMember] {
    switch self {
    case .track, .podcastEpisode, .ebook, .app: [.trackId]
    case .collection: [.collectionId]
    case .artist: [.artistId]
    // Both members have the same number, and one of them can be missing.
    case .podcast: [.trackId, .collectionId]
    case .audiobook: [.collectionId, .trackId]
    case .other: [.trackId, .collectionId, .artistId]
    }
  }
}

/// Each member is decoded on its own, because any member can be null or have another type.
private struct Wire: Decodable {
  let wrapperType: String?
  let kind: String?
  let collectionType: String?
  let artistType: String?
  let ids: [ITunesIDMember: ITunesID]

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    func word(_ key: CodingKeys) -> String? {
      (try? members.decode(String.self, forKey: key)).flatMap { $0.isEmpty ? nil : $0 }
    }
    wrapperType = word(.wrapperType)
    kind = word(.kind)
    collectionType = word(.collectionType)
    artistType = word(.artistType)
    let idMembers = try decoder.container(keyedBy: ITunesIDMember.self)
    var ids: [ITunesIDMember: ITunesID] = [:]
    for name in ITunesIDMember.allCases where idMembers.contains(name) {
      ids[name] = try? idMembers.decodeIfPresent(ITunesID.self, forKey: name)
    }
    self.ids = ids
  }

  private enum CodingKeys: String, CodingKey {
    case wrapperType, kind, collectionType, artistType
  }
}

/// A whole number, written as `1`, `1.0` or a string.
enum ITunesID: Decodable, Equatable {
  case id(Int64)
  case unusable

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    // `Int64` would drop the fraction of a large number and return another id.
    if let number = try? value.decode(Decimal.self) {
      self = Int64("\(number)").map(Self.checked) ?? .unusable
    } else if let text = try? value.decode(String.self), text.utf8.allSatisfy(\.isDigit), let number = Int64(text) {
      self = Self.checked(number)
    } else {
      self = .unusable
    }
  }

  private static func checked(_ number: Int64) -> Self {
    ITunesClass.ids.contains(number) ? .id(number) : .unusable
  }
}

/// Artists, collections and tracks are numbered separately, so an id is unique only within its class.
enum ITunesClass: String, Sendable, CaseIterable {
  case track
  case collection
  case artist
  case podcast
  case podcastEpisode = "podcast-episode"
  case audiobook
  case ebook
  case app
  case other

  /// The ids that fit into a key beside the class.
  static let ids: ClosedRange<Int64> = 1...(1 << 58 - 1)

  /// The class in the lowest four bits of a key. The codes are stored, so they must not change.
  var code: Int64 {
    switch self {
    case .other: 0
    case .track: 1
    case .collection: 2
    case .artist: 3
    case .podcast: 4
    case .podcastEpisode: 5
    case .audiobook: 6
    case .ebook: 7
    case .app: 8
    }
  }

  func key(_ id: Int64) -> Int64 { id << 4 | code }
}
