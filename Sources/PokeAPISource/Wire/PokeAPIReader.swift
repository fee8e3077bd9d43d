import Foundation
import JSONScan
import SyncCore
import SyncProgram

/// Reads the lists and documents of an endpoint.
struct PokeAPIReader: Sendable {
  let endpoint: PokeAPIEndpoint

  /// Reads a page of links to documents. An item without a link of the endpoint is rejected.
  /// - Parameter size: The requested number of items, from which the number of pages is computed.
  /// - Throws: `SyncError` if the body is not a list.
  func page(_ body: [UInt8], size: Int, request: UpstreamRequest) throws(SyncError) -> Page {
    let scanned = try Result { () throws(JSONScanError) in
      try JSONScan.page(body, itemsPath: ["results"], keyMember: "url", limits: .body)
    }.mapError { PokeAPIAnswer.fault("a body that is not a list (\($0))", in: body, request: request) }.get()
    return .items(scanned.items.map { $0.entry(row) }, claim(scanned.envelope, size: size))
  }

  private func row(_ item: ScannedItem) -> Page.Entry {
    let link = item.key.map { String(decoding: $0, as: UTF8.self) }
    if let link, link.hasPrefix("\""), let id = PokeAPILink(String(link.dropFirst().dropLast())).id(in: endpoint.listed)
    {
      return .listed(id)
    }
    let found = link.map { "\(Excerpt.of($0, scalars: 80)) is not a link to a \(endpoint.listed)" } ?? "missing"
    return .rejected(
      RejectedItem(key: nil, reason: "no_id", detail: "url: \(found)", excerpt: Excerpt.of(item.canonical)))
  }

  private func claim(_ envelope: [UInt8], size: Int) -> PageClaim {
    guard let list = try? JSONDecoder().decode(PokeAPIList.self, from: Data(envelope)) else { return PageClaim() }
    // Not `count + size - 1`, because a huge `count` from the service would overflow.
    let lastPage = list.count.map { (max(1, $0) - 1) / max(1, size) + 1 }
    return PageClaim(total: list.count, lastPage: lastPage, hasNext: list.hasNext)
  }

  /// Reads a document. Valid JSON that cannot be stored, or that has another id, is a rejected entry.
  /// - Throws: `SyncError` if the body is not JSON, or neither an object nor an array.
  func document(_ body: [UInt8], key: Int64, request: UpstreamRequest) throws(SyncError) -> Page.Entry {
    let scanned: ScannedItem
    do {
      scanned = try PokeAPIAnswer.scan(body)
    } catch {
      if let reason = Self.lasting(error) {
        return .rejected(
          RejectedItem(key: key, reason: reason.name, detail: "document: \(error)", excerpt: Excerpt.of(body)))
      }
      throw PokeAPIAnswer.fault("a body that is not JSON (\(error))", in: body, request: request)
    }
    guard [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(scanned.canonical.first) else {
      throw PokeAPIAnswer.fault("a body that is not a document", in: body, request: request)
    }
    return entry(scanned, key: key)
  }

  /// Reads a stored document again, for a new mapping.
  func stored(_ document: [UInt8], key: Int64) -> Page.Entry {
    .stored(document, { entry($0, key: key) }) { () throws(JSONScanError) in
      try PokeAPIAnswer.scan(document, limits: .stored)
    }
  }

  /// Returns the reason why valid JSON cannot be stored; `nil` if the JSON is invalid. A retry can help only with
  /// invalid JSON.
  private static func lasting(_ error: JSONScanError) -> BadItemReason? {
    guard case .malformed(let reason, _) = error else { return nil }
    return switch reason {
    case .syntax, .invalidUTF8: nil
    case .depth, .itemBytes, .stringBytes, .numberRange: reason
    }
  }

  private func entry(_ scanned: ScannedItem, key: Int64) -> Page.Entry {
    do {
      try check(scanned, key: key)
    } catch {
      return .rejected(RejectedItem(error, key: key, document: scanned.canonical))
    }
    return .item(
      PageItem(
        key: key, document: scanned.canonical, contentHash: scanned.contentHash + [PokeAPI.mappingVersion],
        counterHash: 0, isRepaired: scanned.repairs != Repairs(),
        misfits: Self.types.findings(in: scanned.canonical).misfits))
  }

  private static let types = MemberTypes(["name": .string])

  private func check(_ scanned: ScannedItem, key: Int64) throws {
    let isArray = scanned.canonical.first == UInt8(ascii: "[")
    guard isArray == endpoint.isEncounters else {
      let expected = endpoint.isEncounters ? "an array" : "an object"
      throw FieldFault(reason: "wrong_type", detail: "document: not \(expected)")
    }
    if endpoint.isEncounters { return }
    let id = scanned.key.map { String(decoding: $0, as: UTF8.self) }
    guard let id, Int64(id) == key else {
      let found = id.map { "\(Excerpt.of($0, scalars: 40)) in place of \(key)" } ?? "missing"
      throw FieldFault(reason: "wrong_id", detail: "id: \(found)")
    }
  }
}

/// The envelope of a list. A member that does not fit is `nil`.
private struct PokeAPIList: Decodable {
  let count: Int?
  let hasNext: Bool?

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    count = (try? members.decode(Int.self, forKey: .count)).flatMap { (0...Int(Int32.max)).contains($0) ? $0 : nil }
    if members.contains(.next) {
      hasNext = try? !members.decodeNil(forKey: .next)
    } else {
      hasNext = nil
    }
  }

  private enum CodingKeys: String, CodingKey {
    case count, next
  }
}
