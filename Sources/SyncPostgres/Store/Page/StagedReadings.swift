import Foundation
import LibPQ
import SyncCore

/// Staged before the transaction's first lock, because the key lists can be long.
struct StagedReadings: Sendable {
  let setting: TransactionOptions.LocalSetting
  let count: Int
  let expression: String
  /// The number of lists that end with one of the readings.
  let endedLists: Int
  /// Whether one of these lists was read again.
  let hasSuperseded: Bool

  init(_ readings: [PageCommit]) throws {
    let list = StagedList("readings", of: "text")
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    setting = list.holding(
      try readings.map { reading -> String in
        let (page, origin) = (reading.page, reading.origin)
        let record = Record(
          page: page.number, list: page.list?.name, listPage: page.page, keys: page.keys, unreadable: page.unreadable,
          unreadableAfter: page.unreadableAfter.isEmpty ? nil : page.unreadableAfter,
          claimedTotal: page.claim.total, lastPage: page.claim.lastPage, hasNext: page.claim.hasNext,
          endedBy: page.endedBy?.rawValue, build: reading.build, next: page.claim.next,
          nextKey: page.claim.nextKey, missed: page.missed > 0 ? page.missed : nil,
          cachedReading: origin?.cachedReading, address: origin?.address.text,
          etag: origin?.validators?.etag, lastModified: origin?.validators?.lastModified, digest: origin?.digest,
          ending: page.list?.ending.map(Ending.init))
        return String(decoding: try encoder.encode(record), as: UTF8.self)
      })
    count = readings.count
    expression = list.expression()
    let endings = readings.compactMap(\.page.list?.ending)
    endedLists = endings.count
    hasSuperseded = endings.contains { !$0.superseded.isEmpty }
  }

  private struct Record: Encodable {
    let page: Int
    let list: String?
    let listPage: Int?
    let keys: [Int64]?
    let unreadable: Int
    let unreadableAfter: [Int]?
    let claimedTotal: Int?
    let lastPage: Int?
    let hasNext: Bool?
    let endedBy: String?
    let build: String?
    let next: String?
    let nextKey: String?
    let missed: Int?
    let cachedReading: Int?
    let address: String?
    let etag: String?
    let lastModified: String?
    let digest: String?
    let ending: Ending?
  }

  /// The end of a list, with the names of the columns of `sync.walk_list`.
  private struct Ending: Encodable {
    let status: String
    let endedBy: String
    let isPublished: Bool
    let firstReading: Int
    let claimedTotal: Int?
    let items: Int
    let repeats: Int
    let drift: Int
    let rewalked: Int
    let unreadable: Int
    let unaccounted: Int
    let listedTwice: Int
    let version: String?
    /// Ranges of readings in PostgreSQL's notation.
    let superseded: [String]

    init(_ ending: ListEnding) {
      let certificate = ending.certificate
      status = ending.status.rawValue
      endedBy = certificate.endedBy.rawValue
      isPublished = ending.publishes
      firstReading = ending.firstReading
      claimedTotal = certificate.claimedTotal
      items = certificate.distinctKeys
      repeats = certificate.repeats
      drift = certificate.drift
      rewalked = certificate.rewalked
      unreadable = certificate.unreadable
      unaccounted = certificate.unaccounted
      listedTwice = certificate.listedTwice
      version = ending.version
      superseded = ending.superseded.map { "[\($0.lowerBound),\($0.upperBound))" }
    }
  }
}
