import Foundation
import JSONScan
import SyncCore
import SyncProgram

/// Reads the answers of searches and lookups.
struct ITunesReader: Sendable {
  /// Returns the records of an answer. A record without a usable id is a rejected entry.
  /// - Throws: `SyncError` if the body is not a list of results, or is an error.
  func entries(_ body: [UInt8], request: UpstreamRequest) throws(SyncError) -> [Page.Entry] {
    let scanned = try Result { () throws(JSONScanError) in
      try JSONScan.page(body, itemsPath: ["results"], counterMembers: ITunesHash.counterMembers, limits: .body)
    }.mapError { ITunesAnswer.unusable(body, request, what: "a body that is not a list of results (\($0))") }.get()
    if scanned.items.isEmpty, ITunesProblem(scanned.envelope)?.errorMessage != nil {
      throw ITunesAnswer.unusable(scanned.envelope, request, what: "an error")
    }
    return scanned.items.map { $0.entry(Self.entry) }
  }

  /// Reads a stored record again, for a new mapping.
  func stored(_ document: [UInt8]) -> Page.Entry {
    Self.stored(document, counterMembers: ITunesHash.counterMembers, Self.entry)
  }

  private static func entry(_ item: ScannedItem) -> Page.Entry {
    entry(item, types) { item in try ITunesRecord(item.canonical).key }
  }

  private static let types = MemberTypes([
    "artistName": .string, "artistViewUrl": .string, "artworkUrl100": .string, "averageUserRating": .number,
    "bundleId": .string, "collectionHdPrice": .number, "collectionName": .string, "collectionPrice": .number,
    "collectionViewUrl": .string, "currency": .string, "discCount": .number, "discNumber": .number, "feedUrl": .string,
    "fileSizeBytes": .number, "formattedPrice": .string, "previewUrl": .string, "price": .number,
    "primaryGenreName": .string, "releaseDate": .string, "trackCount": .number, "trackHdPrice": .number,
    "trackHdRentalPrice": .number, "trackName": .string, "trackNumber": .number, "trackPrice": .number,
    "trackRentalPrice": .number, "trackTimeMillis": .number, "trackViewUrl": .string, "userRatingCount": .number,
    "version": .string,
  ])

  /// Returns an item with the key that `key` finds, or a rejected entry if `key` throws.
  static func entry(_ item: ScannedItem, _ types: MemberTypes, key: (ScannedItem) throws -> Int64) -> Page.Entry {
    do {
      return .item(
        PageItem(
          key: try key(item), document: item.canonical,
          contentHash: ITunesHash.of(item) + [ITunes.mappingVersion], counterHash: 0,
          isRepaired: item.repairs != Repairs(), misfits: types.findings(in: item.canonical).misfits))
    } catch {
      return .rejected(RejectedItem(error, key: nil, document: item.canonical))
    }
  }

  static func stored(
    _ document: [UInt8], counterMembers: Set<String>, _ read: (ScannedItem) -> Page.Entry
  ) -> Page.Entry {
    .stored(document, read) { () throws(JSONScanError) in
      try JSONScan.document(document, counterMembers: counterMembers, limits: .stored)
    }
  }
}

/// Derives the columns of stored documents again: of a storefront's records, or of a chart.
struct ITunesMapping: DocumentMapping {
  let name: String
  let sql: StreamSQL
  private let isOfChart: Bool

  init(country: String) {
    name = "itunes \(country)"
    sql = StreamSQL(folder: "itunes", scope: [country, "refresh", country])
    isOfChart = false
  }

  init(chart: [String]) {
    name = "itunes chart \(chart.joined(separator: " "))"
    sql = StreamSQL(folder: "itunes/charts", scope: chart)
    isOfChart = true
  }

  var version: Int { Int(ITunes.mappingVersion) }

  func read(_ document: [UInt8], key: Int64) -> Page.Entry {
    isOfChart ? ITunesChartReader().stored(document) : ITunesReader().stored(document)
  }
}
