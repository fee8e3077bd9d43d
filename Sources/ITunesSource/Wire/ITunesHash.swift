import Foundation
import JSONScan
import SyncCore
import SyncProgram

/// Hashes a record without unstable details. These are the queries of links (`?uo=4`) and the last digits of numbers
/// with fifty decimals. The stored document keeps these details.
enum ITunesHash {
  /// The members of records that are smoothed before they are hashed.
  static let counterMembers: Set<String> = [
    "artistViewUrl", "collectionViewUrl", "trackViewUrl", "collectionArtistViewUrl", "artistLinkUrl",
    "averageUserRating", "averageUserRatingForCurrentVersion",
  ]
  /// The members of chart entries that are smoothed before they are hashed.
  static let counterMembersOfCharts: Set<String> = ["url", "artistUrl"]

  /// Returns the hash of the rest of the document and of its smoothed members.
  static func of(_ item: ScannedItem) -> [UInt8] {
    guard item.counters != Array("{}".utf8),
      let members = try? JSONDecoder().decode([String: Member].self, from: Data(item.counters)),
      let text = try? JSONEncoder().encode(Smoothed(rest: Data(item.contentHash), members: members)),
      // `JSONEncoder` writes members in any order. The scanner sorts them.
      let smoothed = try? JSONScan.document(Array(text), limits: .stored)
    else { return item.contentHash }
    return smoothed.contentHash
  }

  /// The input of the hash.
  private struct Smoothed: Encodable {
    let rest: Data
    let members: [String: Member]
  }

  /// A smoothed member: a text without its query, a number with two decimals, or any other value as null.
  private enum Member: Codable {
    case text(String)
    case number(Double)
    case other

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let text = try? value.decode(String.self) {
        self = .text(String(text.prefix { $0 != "?" }))
      } else if let number = try? value.decode(Double.self), (number * 100).isFinite {
        self = .number((number * 100).rounded() / 100)
      } else {
        self = .other
      }
    }

    func encode(to encoder: any Encoder) throws {
      var value = encoder.singleValueContainer()
      switch self {
      case .text(let text): try value.encode(text)
      case .number(let number): try value.encode(number)
      case .other: try value.encodeNil()
      }
    }
  }
}
