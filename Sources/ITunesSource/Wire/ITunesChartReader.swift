import Foundation
import JSONScan
import SyncCore
import SyncProgram

/// Reads JSON with the member `results` (v2 and v1), and Atom feeds as JSON with the member `entry`.
struct ITunesChartReader: Sendable {
  /// - Throws: `SyncError` for a feed of reviews, which would otherwise be read as a chart.
  func entries(_ response: UpstreamResponse, request: UpstreamRequest) throws(SyncError) -> [Page.Entry] {
    try check(response, to: request)
    let items = try items(response.body, request: request)
    let isOfReviews = items.contains { item in
      if case .item(let item) = item { AtomEntry(item.canonical)?.isReview == true } else { false }
    }
    if isOfReviews {
      throw SyncError(
        .upstream, "\(ITunesAnswer.shown(request)) answered with customer reviews, which are not a chart",
        hint: "check media, feed and type of the chart, and the base URL (syncctl config)")
    }
    return items.map { $0.entry(Self.entry) }
  }

  /// Reads a stored entry of a chart again, for a new mapping.
  func stored(_ document: [UInt8]) -> Page.Entry {
    ITunesReader.stored(document, counterMembers: ITunesHash.counterMembersOfCharts, Self.entry)
  }

  private func check(_ response: UpstreamResponse, to request: UpstreamRequest) throws(SyncError) {
    let url = ITunesAnswer.shown(request)
    switch response.status {
    case 500 where AnswerFault.isHTML(response.body):
      throw SyncError(
        .upstream, "\(url) answered 500 with HTML, as for a storefront or a chart that does not exist",
        hint: "check country, media, feed and type; if they are right, run again later")
    case 404:
      let words = ITunesProblem(response.body)?.error.map { ": \(Excerpt.of($0))" } ?? ""
      throw SyncError(
        .upstream, "\(url) answered 404\(words)",
        hint: "there is no such chart; check media, feed and type, and the base URL (syncctl config)")
    default: try ITunesAnswer.check(response, to: request)
    }
  }

  private func items(_ body: [UInt8], request: UpstreamRequest) throws(SyncError) -> [ScannedItemResult] {
    do {
      do throws(JSONScanError) {
        return try page(body, "results")
      } catch .noItems(let found) where found.why == .missing {
      }
      do throws(JSONScanError) {
        return try page(body, "entry")
      } catch .noItems(let found) where found.why == .notAnArray {
        // A feed with one entry contains an object instead of an array.
        return [
          .item(
            try JSONScan.item(
              body, itemPath: ["feed", "entry"], counterMembers: ITunesHash.counterMembersOfCharts, keyMember: "id",
              limits: .body))
        ]
      }
    } catch {
      throw ITunesAnswer.unusable(body, request, what: "a body that is not a chart (\(error))")
    }
  }

  private func page(_ body: [UInt8], _ member: String) throws(JSONScanError) -> [ScannedItemResult] {
    try JSONScan.page(
      body, itemsPath: ["feed", .member(member)], counterMembers: ITunesHash.counterMembersOfCharts, keyMember: "id",
      limits: .body
    ).items
  }

  /// The members of current feeds. Older feeds use other names.
  private static let types = MemberTypes([
    "artistName": .string, "artistUrl": .string, "artworkUrl100": .string, "kind": .string, "name": .string,
    "releaseDate": .string, "url": .string,
  ])

  private static func entry(_ item: ScannedItem) -> Page.Entry {
    ITunesReader.entry(item, types) { item in
      if let id = try? JSONDecoder().decode(ResultEntry.self, from: Data(item.canonical)).id { return try id.value }
      guard let entry = AtomEntry(item.canonical), let id = entry.id else {
        throw FieldFault(reason: "no_id", detail: "id: missing")
      }
      return try id.value
    }
  }
}

/// An entry of a feed with `results`.
private struct ResultEntry: Decodable {
  let id: ChartID
}

/// An entry of an Atom feed. The id is an attribute, and only reviews have a rating.
private struct AtomEntry: Decodable {
  private let wireID: WireID?
  private let rating: Label?

  init?(_ entry: [UInt8]) {
    guard let read = try? JSONDecoder().decode(Self.self, from: Data(entry)) else { return nil }
    self = read
  }

  var id: ChartID? { wireID?.attributes?.id }
  var isReview: Bool { rating != nil }

  private enum CodingKeys: String, CodingKey {
    case wireID = "id"
    case rating = "im:rating"
  }

  /// A member whose presence matters, not its content.
  private struct Label: Decodable {}

  private struct WireID: Decodable {
    let attributes: Attributes?
  }

  private struct Attributes: Decodable {
    let id: ChartID?

    enum CodingKeys: String, CodingKey {
      case id = "im:id"
    }
  }
}

/// Ids of playlists (`pl.…`) and bundles (`com.…`) are not numbers, so they cannot be keys.
private struct ChartID: Decodable {
  private let id: ITunesID
  private let text: String

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let text = try? value.decode(String.self) {
      self.text = text
    } else {
      text = "\(try value.decode(Double.self))"
    }
    id = try ITunesID(from: decoder)
  }

  var value: Int64 {
    get throws(FieldFault) {
      guard case .id(let id) = id else {
        throw FieldFault(reason: "no_id", detail: "id: \"\(Excerpt.of(text, scalars: 40))\" is not a number from 1")
      }
      return id
    }
  }
}
