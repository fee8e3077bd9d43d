import LibPQ
package import SyncCore

/// Checks that the rows of a source's mirror match the stored documents, hashes and walks.
package struct Verification: Sendable {
  private let database: Database
  private let source: SourceID
  private let mappings: [any DocumentMapping]
  private let streams: [String]?
  private let isPartial: Bool
  private let clock = ContinuousClock()

  /// Creates the verification of a source. Reads nothing yet.
  /// - Parameters:
  ///   - mappings: The mappings of all documents of the source.
  ///   - streams: The streams whose lists and documents are compared; `nil` for all.
  ///   - isPartial: Whether streams that have published nothing are skipped, instead of throwing `.missing`.
  package init(
    _ database: Database, source: SourceID, _ mappings: [any DocumentMapping], streams: [String]?,
    isPartial: Bool = false
  ) {
    self.isPartial = isPartial
    self.database = database
    self.source = source
    self.mappings = mappings
    self.streams = streams
  }

  /// The numbers of compared documents, bytes, lists, list entries, history intervals and runs.
  ///
  /// `longestSnapshot` is the duration of the longest transaction.
  package struct Checked: Sendable, Equatable {
    package var documents = 0
    package var bytes = 0
    package var lists = 0
    package var entries = 0
    package var listsWithoutDigest = 0
    package var intervals = 0
    package var runs = 0
    package var longestSnapshot = Duration.zero

    package init() {}

    /// Adds the numbers, and keeps the longer of the two durations.
    package static func += (left: inout Checked, right: Checked) {
      let numbers: [WritableKeyPath<Checked, Int>] = [
        \.documents, \.bytes, \.lists, \.entries, \.listsWithoutDigest, \.intervals, \.runs,
      ]
      for number in numbers { left[keyPath: number] += right[keyPath: number] }
      left.longestSnapshot = max(left.longestSnapshot, right.longestSnapshot)
    }
  }

  /// The result of a verification. `first` contains at most 100 of the `differences`.
  ///
  /// `plan` also contains differences that were found twice, so that each repair is complete.
  package struct Tally: Sendable {
    package var checked = Checked()
    package var differences = 0
    package var first: [MirrorDifference] = []
    package var plan = RepairPlan()
    private var named: [DocumentSpace: Set<Int64>] = [:]

    /// Two lists can lack the same item, so a difference can be found twice.
    fileprivate mutating func add(_ found: [MirrorDifference], in space: DocumentSpace? = nil) -> [MirrorDifference] {
      let new = found.filter { difference in
        guard let space, let item = difference.item, difference.table == space.table else { return true }
        return named[space, default: []].insert(item).inserted || difference.column != nil
      }
      differences += new.count
      first += new.prefix(max(0, 100 - first.count))
      for difference in found { plan.add(difference, in: space) }
      return new
    }
  }

  /// Compares the documents, then the lists with their history, and finally the ledger. Changes nothing.
  /// - Parameters:
  ///   - progress: called periodically with the numbers so far.
  ///   - report: called once for each difference. If `report` throws, the verification ends.
  /// - Throws: `.missing` if one of `streams` has published nothing, unless `isPartial` is true. `CancellationError` if
  ///   the task is cancelled.
  package func run(
    progress: (Checked) -> Void = { _ in }, report: (MirrorDifference) throws -> Void
  ) async throws -> Tally {
    var outcome = Tally()
    func add(_ differences: [MirrorDifference], in space: DocumentSpace? = nil) throws {
      for difference in outcome.add(differences, in: space) { try report(difference) }
      progress(outcome.checked)
    }

    let published = try await publications()
    try await verify(documentRanges(of: published)) { range, found in
      outcome.checked += found.checked
      try add(found.differences, in: range.space)
    }

    for list in published {
      try Task.checkCancellation()
      let read = try await read(list, &outcome.checked)
      guard case .verified(let check, let found, let space, let bounds) = read else {
        if case .unknown = read { outcome.checked.listsWithoutDigest += 1 }
        continue
      }

      outcome.checked.lists += 1
      outcome.checked.entries += found.entries
      outcome.checked.listsWithoutDigest += found.isWithoutDigest ? 1 : 0
      try add(found.differences, in: space)

      guard let bounds else { continue }
      let wrong = found.differences.filter { $0.remedy == .publish }.compactMap(\.item)
      for (after, upTo) in zip([nil] + bounds.map(Optional.some), bounds.map(Optional.some) + [nil]) {
        let found = try await timed(&outcome.checked) { connection in
          try check.history(after: after, upTo: upTo, besides: wrong, connection)
        }.result
        outcome.checked.intervals += found.intervals
        try add(found.differences)
      }
    }

    let ledger = try await timed(&outcome.checked) { [source, streams] connection in
      try MirrorDifference.lasting(
        connection.query(
          QuerySQL.text("verify_ledger"), [.text(source.rawValue), streams.map { .texts($0) } ?? .null]),
        of: "sync.run")
    }.result
    outcome.checked.runs += ledger.count
    try add(ledger.differences)
    return outcome
  }

  /// A part of a mapping's documents: those with an item after `after`, up to and with `upTo`.
  private struct DocumentRange: Sendable {
    let check: DocumentVerification
    let space: DocumentSpace
    /// `nil` for the first range.
    let after: Int64?
    /// `nil` for the last range.
    let upTo: Int64?
  }

  /// Returns the ranges of all chosen documents.
  private func documentRanges(of published: [ListVerification.Published]) async throws -> [DocumentRange] {
    var ranges: [DocumentRange] = []
    for (mapping, space) in try await chosen(published) {
      ranges += try await database.read { connection in
        let check = try DocumentVerification(mapping, connection)
        let bounds = try check.bounds(connection).map(Optional.some)
        return zip([nil] + bounds, bounds + [nil]).map { after, upTo in
          DocumentRange(check: check, space: space, after: after, upTo: upTo)
        }
      }
    }
    return ranges
  }

  private enum ListRead: Sendable {
    case removed
    /// An older syncctl published the list and did not record its statements.
    case unknown
    /// `bounds` split the list's history into slices; `nil` without a history.
    case verified(ListVerification, ListVerification.Tally, DocumentSpace, bounds: [Int64]?)
  }

  /// Verifies the list that is published now. The publication is read in the snapshot of its list, because a concurrent
  /// run may have replaced both.
  private func read(_ list: ListVerification.Published, _ checked: inout Checked) async throws -> ListRead {
    try await timed(&checked) { [source] connection -> ListRead in
      guard let now = try ListVerification.published(of: source, list: list.list, connection).first else {
        return .removed
      }
      guard let check = ListVerification(source, now) else { return .unknown }
      return .verified(
        check, try check.list(connection), try DocumentSpace(check.sql, connection),
        bounds: try check.bounds(connection))
    }.result
  }

  private struct Found: Sendable {
    var checked = Checked()
    var differences: [MirrorDifference] = []
  }

  /// Uses two connections, because computing derived rows keeps a core of the server busy.
  private func verify(_ ranges: [DocumentRange], report: (DocumentRange, Found) throws -> Void) async throws {
    try await database.withAnother(statementTimeout: database.options.statementTimeout) { other in
      try await withThrowingTaskGroup(of: (DocumentRange, Found, Database).self) { group in
        var unreadRanges = ranges[...]
        func begin(on database: Database) {
          guard let range = unreadRanges.popFirst() else { return }
          group.addTask { (range, try await verify(range, on: database), database) }
        }
        begin(on: database)
        begin(on: other)
        while let (range, found, database) = try await group.next() {
          try report(range, found)
          begin(on: database)
        }
      }
    }
  }

  private func verify(_ range: DocumentRange, on database: Database) async throws -> Found {
    var found = Found()
    var size = SliceSize()
    var last = range.after
    var isEnd = false
    while !isEnd {
      try Task.checkCancellation()
      let (after, limit) = (last, size.documents)

      let slice = try await timed(&found.checked, on: database) { connection in
        try range.check.slice(after: after, upTo: range.upTo, limit: limit, connection)
      }

      last = slice.result.last
      isEnd = slice.result.last == nil
      size.adapt(to: slice.result.bytes, slice.time)
      found.checked.documents += slice.result.documents
      found.checked.bytes += slice.result.bytes
      found.differences += slice.result.differences
    }
    return found
  }

  private func publications() async throws -> [ListVerification.Published] {
    let all = try await database.read { [source] connection in
      try ListVerification.published(of: source, connection)
    }
    guard let streams else { return all }

    let names = Set(all.map(\.list))
    if !isPartial, let unknown = streams.first(where: { !names.contains($0) }) {
      throw SyncError(
        .missing, "\(source): the stream \(Excerpt.of(unknown, scalars: 60)) has published nothing",
        hint: Suggestion.hint(for: unknown, among: names.sorted()))
    }
    return all.filter { streams.contains($0.list) }
  }

  private func chosen(
    _ published: [ListVerification.Published]
  ) async throws -> [(mapping: any DocumentMapping, space: DocumentSpace)] {
    let spaces = try await database.read { [mappings] connection in
      try (mappings.map(\.sql) + published.compactMap(\.sql)).map { try DocumentSpace($0, connection) }
    }
    var seen: Set<DocumentSpace> = []
    let chosenSpaces = streams == nil ? Set(spaces) : Set(spaces[mappings.count...])
    return zip(mappings, spaces).filter { chosenSpaces.contains($1) && seen.insert($1).inserted }.map { ($0, $1) }
  }

  private func timed<R: Sendable>(
    _ checked: inout Checked, on other: Database? = nil,
    _ body: @escaping @Sendable (borrowing PGConnection) throws -> R
  ) async throws -> (result: R, time: Duration) {
    let start = clock.now
    let result = try await (other ?? database).read(body)
    let time = clock.now - start
    checked.longestSnapshot = max(checked.longestSnapshot, time)
    return (result, time)
  }
}

private struct SliceSize {
  private(set) var documents = 50

  mutating func adapt(to bytes: Int, _ time: Duration) {
    let room = min(
      2, Limits.verificationSlice / max(time, .microseconds(1)),
      Double(Limits.verificationBytes) / Double(max(bytes, 1)))
    documents = min(max(Int(Double(documents) * room), 1), 2_000)
  }
}

extension Verification.Checked {
  package var json: String {
    let members = [
      "\"documents\": \(documents)", "\"bytes\": \(bytes)", "\"lists\": \(lists)", "\"entries\": \(entries)",
      "\"lists_without_digest\": \(listsWithoutDigest)", "\"intervals\": \(intervals)", "\"runs\": \(runs)",
      "\"longest_snapshot_seconds\": \((longestSnapshot / .milliseconds(1)).rounded() / 1000)",
    ]
    return "{\(members.joined(separator: ", "))}"
  }
}
