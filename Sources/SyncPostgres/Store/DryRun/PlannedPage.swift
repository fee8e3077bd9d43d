import SyncCore

struct PlannedPage: Sendable {
  private let commit: PageCommit
  private let written: [Int64: PlannedItems.Version]
  let rows: [PageItem]
  let changedAgain: Set<Int64>

  init(_ commit: PageCommit, _ items: PlannedItems) {
    let keys = commit.rows.map(\.item.key)
    let repeated = Set(commit.rows.lazy.filter(\.isDuplicate).map(\.item.key))
    let written = items.written(of: keys, repeated: repeated)
    self.commit = commit
    self.written = written
    rows = commit.rows.map(\.item).filter { written[$0.key] != PlannedItems.Version($0) }
    changedAgain = Set(rows.lazy.map(\.key).filter { written[$0] != nil })
  }

  struct Plan {
    var counters: RunCounters
    var changes: [PlannedChange] = []
    var written: [(key: Int64, version: PlannedItems.Version)] = []
    var unchanged: [Int64] = []
    var added = 0
  }

  func plan(_ findings: PreviewReader.Findings, stream: StreamID) -> Plan {
    var plan = Plan(counters: commit.counters)
    let refused = Set(findings.refused.compactMap(\.key))
    let previewed = Set(rows.map(\.key))
    plan.counters.quarantined += refused.count
    for row in commit.rows {
      let key = row.item.key
      if refused.contains(key) {
        plan.counters.duplicates -= row.isDuplicate ? 1 : 0
        plan.unchanged.append(key)
        continue
      }

      let version = PlannedItems.Version(row.item)
      let difference = previewed.contains(key) ? difference(of: key, version, findings) : nil
      if !row.isDuplicate { plan.counters.count(difference) }
      guard difference != nil else {
        if !row.isDuplicate { plan.unchanged.append(key) }
        continue
      }

      plan.written.append((key, version))
      let item = findings.items[key]
      let isNew = item?.isNew ?? false
      if written[key] == nil, isNew || findings.differences[key]?.isVanished ?? false { plan.added += 1 }
      plan.changes.append(
        PlannedChange(
          stream: stream, operation: isNew ? .insert : .update, key: key, title: item?.title,
          columns: isNew ? [] : item?.columns ?? []))
    }

    let written = Set(plan.written.map(\.key))
    for item in findings.returned where !written.contains(item.key) {
      plan.added += 1
      plan.changes.append(
        PlannedChange(
          stream: stream, operation: .update, key: item.key, title: item.title,
          columns: [PlannedChange.Column(name: "vanished_at", from: item.vanishedAt ?? "null", to: "null")]))
    }

    for item in findings.vanishing {
      plan.counters.vanished += 1
      plan.written.append((item.key, .vanished))
      plan.changes.append(
        PlannedChange(stream: stream, operation: .vanish, key: item.key, title: item.title, columns: []))
    }
    return plan
  }

  private func difference(
    of key: Int64, _ version: PlannedItems.Version, _ findings: PreviewReader.Findings
  ) -> (isNew: Bool, isDocument: Bool)? {
    let difference = findings.differences[key]
    switch written[key] {
    case nil: return difference.map { ($0.isNew, $0.isDocument) }
    case .vanished?: return (isNew: false, isDocument: difference?.isDocument ?? false)
    case let before?: return (isNew: false, isDocument: !version.hasContent(of: before))
    }
  }
}
