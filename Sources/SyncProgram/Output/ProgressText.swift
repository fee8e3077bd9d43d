/// Bars are ASCII, because block characters are two columns wide in some East Asian terminals. The terminal would wrap
/// the line, and a wrapped line cannot be redrawn.
enum ProgressText {
  /// For example, `top-anime  [#####-----]  304/608 pages  15,200 rows  48.1 rows/s  ETA 5 min 12 s`.
  static func bar(_ progress: StreamProgress, nameWidth: Int, columns: Int, now: Duration) -> String {
    let width = min(nameWidth, max(8, columns / 3))
    let name = TerminalText.safe(progress.name)
    var line = TerminalText.pad(TerminalText.truncate(name, to: width), to: width)
    if let wait = progress.wait, wait.until > now {
      let count = progress.page > 0 ? [pages(progress, withUnit: false)] : []
      let lines = [count + wait.texts, count + [wait.text], [wait.text]].map { whole(line, $0) }
      return lines.first { TerminalText.displayWidth($0) <= columns } ?? TerminalText.truncate(lines[2], to: columns)
    }
    var fields = [pages(progress), "\(HumanFormat.count(progress.rows)) rows"]
    if let remaining = progress.remaining(now: now) { fields.append("ETA \(HumanFormat.duration(remaining))") }
    if let rate = progress.rowRate(now: now) { fields.insert("\(HumanFormat.rate(rate)) rows/s", at: 2) }
    let cells = columns >= 90 ? 20 : columns >= 60 ? 10 : 0
    if cells > 0, let fraction = progress.fraction {
      let filled = Int(fraction * Double(cells))
      line += "  [" + String(repeating: "#", count: filled) + String(repeating: "-", count: cells - filled) + "]"
    }
    if TerminalText.displayWidth(whole(line, fields)) > columns, fields.count == 4 { fields.remove(at: 2) }
    return TerminalText.truncate(whole(line, fields), to: columns)
  }

  /// For example, `top-anime: page 304 of 608, 15,200 rows, 48.1 rows/s, ETA 5 min 12 s`.
  static func line(_ progress: StreamProgress, now: Duration) -> String {
    let wait = progress.wait.flatMap { $0.until > now ? $0 : nil }
    var parts: [String] = []
    if progress.page > 0 || wait == nil {
      let unit = progress.unit == .pages ? "page" : "document"
      let all = progress.lastPage.map { " of \(HumanFormat.count($0))" } ?? ""
      parts = ["\(unit) \(HumanFormat.count(progress.page))\(all)", "\(HumanFormat.count(progress.rows)) rows"]
    }
    if let wait {
      parts += wait.texts
    } else {
      if let rate = progress.rowRate(now: now) { parts.append("\(HumanFormat.rate(rate)) rows/s") }
      if let remaining = progress.remaining(now: now) { parts.append("ETA \(HumanFormat.duration(remaining))") }
    }
    return "\(progress.name): " + parts.joined(separator: ", ")
  }

  /// For example, `top-anime: complete, 608 pages, 30,377 rows in 10 min 12 s`.
  static func summary(_ progress: StreamProgress, status: String, pages: Int? = nil, now: Duration) -> String {
    let count = progress.unit == .pages ? pages ?? progress.page - progress.resumedPages : progress.page
    if count <= 0 { return "\(progress.name): \(status)" }
    let unit = progress.unit == .pages ? "page" : "document"
    var counted = HumanFormat.counted(count, unit)
    if ["complete", "unproven"].contains(status), progress.unit == .pages, let last = progress.lastPage,
      progress.page < last
    {
      counted += " of \(HumanFormat.count(last)) advertised"
    }
    return "\(progress.name): \(status), \(counted), \(HumanFormat.count(progress.rows)) rows"
      + " in \(HumanFormat.duration(now - progress.startedAt))"
  }

  private static func pages(_ progress: StreamProgress, withUnit: Bool = true) -> String {
    let page = HumanFormat.count(progress.page)
    let unit = progress.unit == .pages ? " pages" : " documents"
    guard let lastPage = progress.lastPage else { return page + unit }
    return "\(page)/\(HumanFormat.count(lastPage))" + (withUnit ? unit : "")
  }

  private static func whole(_ line: String, _ fields: [String]) -> String {
    TerminalText.safe(fields.reduce(line) { $0 + "  " + $1 })
  }
}
