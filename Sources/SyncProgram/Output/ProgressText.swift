import SyncCore

/// Bars are ASCII, because block characters are two columns wide in some East Asian terminals. The terminal would wrap
/// the line, and a wrapped line cannot be redrawn.
enum ProgressText {
  /// For example, `shop  [#####-----]  1,204/2,410 requests  3/57 streams  products 304/608  15,200 rows  48.1 rows/s
  /// ETA 20 min 12 s`. In a narrow terminal, the less important parts are omitted.
  static func bar(_ progress: SourceProgress, nameWidth: Int, columns: Int, now: Duration) -> String {
    let width = min(nameWidth, max(8, columns / 3))
    var line = TerminalText.pad(TerminalText.truncate(progress.source.rawValue, to: width), to: width)
    if let wait = progress.wait, wait.until > now {
      let count = [requests(progress, withUnit: false)]
      let lines = [count + wait.texts, count + [wait.text], [wait.text]].map { whole(line, $0) }
      return lines.first { TerminalText.displayWidth($0) <= columns } ?? TerminalText.truncate(lines[2], to: columns)
    }
    let cells = columns >= 90 ? 20 : columns >= 60 ? 10 : 0
    if cells > 0, let fraction = progress.fraction {
      let filled = Int(fraction * Double(cells))
      line += "  [" + String(repeating: "#", count: filled) + String(repeating: "-", count: cells - filled) + "]"
    }
    var parts = parts(progress, now: now)
    while TerminalText.displayWidth(whole(line, parts.map(\.text))) > columns,
      let least = parts.indices.max(by: { parts[$0].rank < parts[$1].rank }), parts[least].rank > 0
    {
      parts.remove(at: least)
    }
    return TerminalText.truncate(whole(line, parts.map(\.text)), to: columns)
  }

  /// For example, `shop: 1,204/2,410 requests, 3/57 streams, products 304/608, 15,200 rows, 48.1 rows/s, ETA 20 min
  /// 12 s`.
  static func line(_ progress: SourceProgress, now: Duration) -> String {
    let parts =
      if let wait = progress.wait, wait.until > now {
        (progress.requests > 0 ? [requests(progress)] : []) + wait.texts
      } else {
        parts(progress, now: now).map(\.text)
      }
    return "\(progress.source.rawValue): " + parts.joined(separator: ", ")
  }

  /// For example, `top-anime: complete, 608 pages, 30,377 rows in 10 min 12 s`.
  /// - Parameters:
  ///   - ended: The stream's progress at its end; `nil` for a stream that was not read.
  ///   - pages: The number of pages that the run has read.
  static func summary(
    _ ended: StreamProgress?, name: String, status: String, pages: Int, now: Duration
  ) -> String {
    guard let ended else { return "\(name): \(status)" }
    let count = ended.unit == .pages ? pages : ended.done
    if count <= 0 { return "\(name): \(status)" }
    var counted = HumanFormat.counted(count, ended.unit == .pages ? "page" : "document")
    if ["complete", "unproven"].contains(status), ended.unit == .pages, let last = ended.total, ended.done < last {
      counted += " of \(HumanFormat.count(last)) advertised"
    }
    return "\(name): \(status), \(counted), \(HumanFormat.count(ended.rows)) rows"
      + " in \(HumanFormat.duration(now - ended.startedAt))"
  }

  /// The parts of a line. In a narrow terminal, parts of a higher rank are omitted first, and those of rank 0 never.
  private static func parts(_ progress: SourceProgress, now: Duration) -> [(text: String, rank: Int)] {
    var parts = [(requests(progress), 0)]
    if progress.streamCount > 1 {
      let ended = HumanFormat.count(progress.finished.count)
      parts.append(("\(ended)/\(HumanFormat.count(progress.streamCount)) streams", 3))
    }
    if let current = progress.current { parts.append((TerminalText.safe(place(of: current)), 4)) }
    parts.append(("\(HumanFormat.count(progress.rows)) rows", 2))
    if let rate = progress.rowRate(now: now) { parts.append(("\(HumanFormat.rate(rate)) rows/s", 5)) }
    if let left = progress.remaining(now: now) {
      parts.append(("ETA \(left.isLeast ? "at least " : "")\(HumanFormat.duration(left.time))", 1))
    }
    return parts
  }

  /// For example, `top-anime 304/608`.
  private static func place(of stream: StreamProgress) -> String {
    guard stream.done > 0 else { return stream.name }
    return "\(stream.name) \(HumanFormat.count(stream.done))"
      + (stream.total.map { "/\(HumanFormat.count($0))" } ?? "")
  }

  private static func requests(_ progress: SourceProgress, withUnit: Bool = true) -> String {
    let sent = HumanFormat.count(progress.requests)
    guard let total = progress.totalRequests, !total.isLeast else {
      return withUnit ? HumanFormat.counted(progress.requests, "request") : sent
    }
    return "\(sent)/\(HumanFormat.count(total.value))" + (withUnit ? " requests" : "")
  }

  private static func whole(_ line: String, _ fields: [String]) -> String {
    TerminalText.safe(fields.reduce(line) { $0 + "  " + $1 })
  }
}
