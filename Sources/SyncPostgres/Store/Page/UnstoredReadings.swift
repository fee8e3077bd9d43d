import LibPQ
import SyncCore

struct UnstoredReadings {
  var keys: [Int64] = []
  var added = 0
  var counters = RunCounters()
  var hasUnreadable = false
  var claimedTotal: Int?
  /// The lists of the stream, if it has several.
  var lists: UnstoredLists?
  /// The detail of an item that the dry run would reject. `nil` if it would reject none.
  var rejection: String?

  /// The parameter of the statements about lists of a stream that has several: names of lists in a dry run, or null.
  /// Empty for other streams, whose statements lack the parameter.
  func listParameter(_ names: KeyPath<UnstoredLists, [String]>, of stream: StreamDescription) -> [PGParameter] {
    guard SourceSQL.part("list name", stream.sql) != nil else { return [] }
    return [lists.map { .texts($0[keyPath: names]) } ?? .null]
  }
}

/// The lists of a stream that has several, in a dry run.
struct UnstoredLists {
  /// The names of the lists that the dry run did not read wholly.
  let incomplete: [String]
  /// The names of the lists of which a run would publish nothing. Their published places stay.
  let unpublished: [String]

  /// - Parameters:
  ///   - lists: All lists of the stream.
  ///   - ended: The ends of the lists that the dry run has read.
  init(of lists: StreamLists, ended: [String: ListEnding]) {
    let names = lists.lists.map(\.name)
    incomplete = names.filter { name in ended[name].map { ![.complete, .unproven].contains($0.status) } ?? true }
    unpublished = names.filter { name in ended[name].map { !$0.publishes } ?? true }
  }
}
