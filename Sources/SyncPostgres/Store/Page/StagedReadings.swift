import Foundation
import LibPQ
import SyncCore

/// Staged before the transaction's first lock, because the key lists can be long.
struct StagedReadings: Sendable {
  let setting: TransactionOptions.LocalSetting
  let count: Int
  let expression: String

  init(_ readings: [PageCommit]) throws {
    let list = StagedList("readings", of: "text")
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    setting = list.holding(
      try readings.map { reading -> String in
        let (page, origin) = (reading.page, reading.origin)
        let record = Record(
          page: page.number, listPage: page.page, keys: page.keys, unreadable: page.unreadable,
          unreadableAfter: page.unreadableAfter.isEmpty ? nil : page.unreadableAfter,
          claimedTotal: page.claim.total, lastPage: page.claim.lastPage, hasNext: page.claim.hasNext,
          endedBy: page.endedBy?.rawValue, build: reading.build, next: page.claim.next,
          nextKey: page.claim.nextKey, missed: page.missed > 0 ? page.missed : nil,
          cachedReading: origin?.cachedReading, address: origin?.address.text,
          etag: origin?.validators?.etag, lastModified: origin?.validators?.lastModified, digest: origin?.digest)
        return String(decoding: try encoder.encode(record), as: UTF8.self)
      })
    count = readings.count
    expression = list.expression()
  }

  private struct Record: Encodable {
    let page: Int
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
  }
}
