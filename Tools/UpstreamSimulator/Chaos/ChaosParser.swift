struct ChaosParser {
  private static let longestSpan = 86_400_000
  private static let largestPage = 1_000_000_000

  private var placed: [Chaos.Rule] = []
  private var general: [Chaos.Rule] = []
  private var outages: [Range<Duration>] = []
  private var total = 0.0

  mutating func read(_ text: String) throws(ChaosError) {
    for entry in text.split(separator: ",").map(\.trimmed) where !entry.isEmpty { try add(Entry(entry)) }
  }

  func plan(seed: UInt64) throws(ChaosError) -> Chaos {
    guard total <= 1 + 1e-9 else {
      throw ChaosError("the rates add up to \(total); together they are at most 1 (a request has one fault)")
    }
    let outages = outages.sorted { $0.lowerBound < $1.lowerBound }
    for (one, next) in zip(outages, outages.dropFirst()) where one.upperBound >= next.lowerBound {
      throw ChaosError("the spans of `down` meet; make one span of them")
    }
    return Chaos(rules: placed + general, outages: outages, seed: seed)
  }

  private mutating func add(_ entry: Entry) throws(ChaosError) {
    let scope = try entry.scope.map { text throws(ChaosError) in try Self.scope(text, in: entry) } ?? .anywhere
    if entry.name == "down" {
      guard case .time(let span) = scope, entry.rate == nil, entry.value == nil else {
        throw ChaosError("`\(entry.text)`: write `down` with a span of time alone, as in down@10s-70s")
      }
      outages.append(span)
      return
    }
    guard let name = FaultName.named(entry.name) else {
      let names = (FaultName.all.map(\.name) + ["down"]).joined(separator: ", ")
      throw ChaosError(
        "`\(entry.text)`: there is no fault `\(entry.name)`; the faults are any status from 400 to 599, \(names)")
    }
    let rate = try entry.rate.map { text throws(ChaosError) in try Self.rate(text, in: entry) } ?? 1
    let value = try (entry.value ?? name.standard).map { text throws(ChaosError) in
      try Self.number(text, of: name.value, in: entry)
    }
    let isGeneral = scope == .anywhere
    let lowest = isGeneral ? total : 0
    let rule = Chaos.Rule(
      name: entry.name, fault: name.fault(value), scope: scope, share: lowest..<(lowest + rate),
      stream: isGeneral ? 0 : UInt64(placed.count + 1))
    if isGeneral {
      general.append(rule)
      total += rate
    } else {
      placed.append(rule)
    }
  }

  private struct Entry {
    var text: Substring
    var name: String
    var scope: Substring?
    var rate: Substring?
    var value: Substring?

    init(_ text: Substring) {
      self.text = text
      var rest = text
      value = Self.cut(&rest, at: ":")
      rate = Self.cut(&rest, at: "=")
      scope = Self.cut(&rest, at: "@")
      name = String(rest)
    }

    private static func cut(_ text: inout Substring, at separator: Character) -> Substring? {
      guard let index = text.firstIndex(of: separator) else { return nil }
      defer { text = text[..<index].trimmed }
      return text[text.index(after: index)...].trimmed
    }
  }

  private static func rate(_ text: Substring, in entry: Entry) throws(ChaosError) -> Double {
    guard let rate = Double(text), (0...1).contains(rate) else {
      throw ChaosError("`\(entry.text)`: `\(text)` is no rate; write a number from 0 to 1, as in 500=0.05")
    }
    return rate
  }

  private static func scope(_ text: Substring, in entry: Entry) throws(ChaosError) -> Chaos.Scope {
    let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmed)
    if let first = ends.first, let last = ends.last {
      if let from = milliseconds(first), let to = milliseconds(last), from < to {
        return .time(.milliseconds(from) ..< .milliseconds(to))
      }
      let pages = 1...largestPage
      if let from = Int(first), let to = Int(last), from <= to, pages.contains(from), pages.contains(to) {
        return .pages(from...to)
      }
    }
    throw ChaosError("`\(entry.text)`: `\(text)` is no place; write a page (7), pages (7-9) or a span (10s-70s)")
  }

  private static func number(
    _ text: Substring, of value: FaultName.Value, in entry: Entry
  ) throws(ChaosError) -> Int {
    let advice: String
    switch value {
    case .none: throw ChaosError("`\(entry.text)`: `\(entry.name)` takes no value")
    case .duration:
      if let time = milliseconds(text) { return time }
      advice = "no time; write it as in 500ms, 2s or 1m, 24h at most"
    case .seconds:
      if let time = milliseconds(text), time.isMultiple(of: 1000) { return time / 1000 }
      advice = "not a Retry-After; write whole seconds, as in 2s"
    }
    throw ChaosError("`\(entry.text)`: `\(text)` is \(advice)")
  }

  private static func milliseconds(_ text: Substring) -> Int? {
    guard let (number, unit) = quantity(text), let factor = ["ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000][unit],
      number * factor <= longestSpan
    else { return nil }
    return number * factor
  }

  private static func quantity(_ text: Substring) -> (Int, String)? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard digits.count <= 9, let number = Int(digits) else { return nil }
    return (number, String(text[digits.endIndex...]))
  }
}

extension Substring {
  var trimmed: Substring {
    let start = drop(while: \.isWhitespace)
    return start.last?.isWhitespace == true
      ? start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)] : start
  }
}
