import SyncCore
import SyncProgram

/// A top list of anime or manga, possibly narrowed by a type, a filter or both.
struct JikanTopList: Sendable, Hashable {
  let kind: JikanKind
  var subtype: String?
  var filter: String?
}

extension JikanTopList {
  /// Reads a name such as `top-anime:tv:airing`. The type must be before the filter.
  init?(name: String) {
    let parts = name.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard let kind = JikanKind.allCases.first(where: { "top-\($0.rawValue)" == parts[0] }) else { return nil }
    var subtype: String?
    var filter: String?
    for part in parts.dropFirst() {
      if subtype == nil, filter == nil, kind.subtypes.contains(part) {
        subtype = part
      } else if filter == nil, kind.filters.contains(part) {
        filter = part
      } else {
        return nil
      }
    }
    self.init(kind: kind, subtype: subtype, filter: filter)
  }

  var name: String {
    (["top-\(kind.rawValue)"] + [subtype, filter].compactMap(\.self)).joined(separator: ":")
  }

  static let named = JikanKind.allCases.flatMap { kind in
    [JikanTopList(kind: kind)] + kind.subtypes.map { JikanTopList(kind: kind, subtype: $0) }
      + kind.filters.map { JikanTopList(kind: kind, filter: $0) }
  }
}
