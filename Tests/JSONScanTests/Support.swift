import Foundation
import JSONScan

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

extension JSONScan {
  static func canonical(_ body: String) throws -> String { text(try document(bytes(body)).canonical) }
}

extension ScannedPage {
  var good: [ScannedItem] { items.compactMap { if case .item(let item) = $0 { item } else { nil } } }

  var bad: [BadItem] { items.compactMap { if case .bad(let item) = $0 { item } else { nil } } }
}

extension ScannedItem {
  var replacedScalars: Int { repairs.replacedScalars }
  var duplicateNames: Int { repairs.duplicateNames }
}

let samplePage = """
  {"pagination":{"last_visible_page":3,"has_next_page":true,"items":{"count":3}},
   "data":[
    {"mal_id":1,"title":"Caf\\u00e9 \\ud83d\\ude00","score":8.75,
     "titles":[{"type":"Default","title":"A\\n\\"B\\""}],"x":null},
    {"mal_id":2,"title":"葬送のフリーレン","score":1e2,"airing":false,"nested":{"b":[1,-0.5,[]],"a":{}}},
    {"mal_id":9007199254740993,"title":"","score":null,"aired":{"from":"2023-09-29T00:00:00+00:00"}}
   ],"links":{"next":"https:\\/\\/example.org\\/?page=2"}}
  """

func isSoundCanonical(_ canonical: [UInt8]) -> Bool {
  guard let again = try? JSONScan.document(canonical), again.canonical == canonical,
    again.repairs == Repairs()
  else { return false }
  let parsed = try? JSONSerialization.jsonObject(with: Data(canonical), options: .fragmentsAllowed)
  return parsed != nil || hasNumberBeyondDouble(text(canonical))
}

/// Foundation does not parse numbers beyond the range of a `Double`; PostgreSQL stores them as `numeric`.
private func hasNumberBeyondDouble(_ text: String) -> Bool {
  text.matches(of: /-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/).contains { match in
    guard let value = Double(String(match.output.0)) else { return true }
    return !value.isFinite || match.output.0.count > 300 || value.isZero || value.isSubnormal
  }
}
