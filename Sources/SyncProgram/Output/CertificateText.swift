import SyncCore

struct CertificateText {
  let certificate: Certificate
  var isHeld = false

  var sentence: String { "\(conclusion): " + ([ending] + findings).joined(separator: "; ") }

  private var conclusion: String {
    if isHeld { return "held by a guard" }
    if certificate.complete { return "complete" }
    if certificate.unproven { return "unproven" }
    let isPartial = (certificate.lists?.partial ?? 0) > 0
    if certificate.endedBy.isEnd, !isPartial, certificate.holes.isEmpty, certificate.unavailable.isEmpty {
      return "inconsistent"
    }
    return certificate.endedBy == .failed ? "failed" : "not complete"
  }

  var ending: String {
    switch certificate.endedBy {
    case .notFound: "the list ended with a missing page (404)"
    case .emptyPage: "the list ended with an empty page"
    case .noNextPage: "the list said that it ends"
    case .claimedTotal: "all claimed items were seen, and the last page was short"
    case .refused: "the service refused the page after the last item"
    case .partsMet: "the list was read from both ends until they met"
    case .lists: "all lists were read"
    case .echo: "the service repeated its last page"
    case .pageCap: "the service serves no further page, though the list continues"
    case .loop: "the list does not end: it repeats pages, or has far more entries than advertised"
    case .tooManyHoles: "too many pages in a row were unavailable, so the rest was not requested"
    case .ignored: "an answer of the service was ignored, as the declaration says"
    case .maxPages: "it was stopped by --max-pages"
    case .interrupted: "it was interrupted"
    case .failed: "it ended with an error"
    }
  }

  /// The number of lists, and of those that are not complete.
  private static func text(of lists: Certificate.Lists) -> String {
    let others = [
      (lists.unproven, "unproven"), (lists.inconsistent, "inconsistent"), (lists.partial, "partial"),
      (lists.ignored, "ignored"),
    ].filter { $0.0 > 0 }.map { "\(HumanFormat.count($0.0)) \($0.1)" }
    let text = "\(HumanFormat.count(lists.total)) \(lists.total == 1 ? "list" : "lists")"
    return others.isEmpty ? text : "\(text), of which \(others.joined(separator: ", "))"
  }

  var findings: [String] {
    var findings = [seen]
    if let lists = certificate.lists { findings.append(Self.text(of: lists)) }
    if !certificate.holes.isEmpty { findings.append("\(missingPages) unavailable") }
    if !certificate.unavailable.isEmpty { findings.append("\(missingDocuments) unavailable") }
    if certificate.drift > 0 { findings.append(drift) }
    if certificate.unaccounted > 0 {
      let items = HumanFormat.counted(certificate.unaccounted, "item")
      findings.append("\(items) moved or were removed meanwhile and are still in the list")
    }
    if certificate.missed > 0 {
      let items = HumanFormat.counted(certificate.missed, "item")
      findings.append(
        "\(items) of the previous list, which the walk did not see, still \(certificate.missed == 1 ? "exists" : "exist")"
      )
    }
    if certificate.listedTwice > 0 {
      let items = HumanFormat.counted(certificate.listedTwice, "item")
      findings.append("\(items) \(certificate.listedTwice == 1 ? "is" : "are") listed twice by the upstream")
    }
    if certificate.unreadable > 0 {
      findings.append("\(HumanFormat.counted(certificate.unreadable, "item")) had no readable id")
    }
    if certificate.endedBy.isEnd, certificate.deficit > 0 {
      findings.append("\(HumanFormat.count(certificate.deficit)) of the claimed items were not seen")
    }
    return findings
  }

  private var seen: String {
    let claimed = certificate.claimedTotal.map { " of \(HumanFormat.count($0)) claimed" } ?? ""
    let repeats = certificate.repeats
    let again = repeats > 0 ? ", and \(HumanFormat.count(repeats)) listed again" : ""
    return "\(HumanFormat.counted(certificate.distinctKeys, "item"))\(claimed)\(again)"
  }

  private var drift: String {
    let signs = HumanFormat.counted(certificate.drift, "sign")
    let rewalked = certificate.rewalked
    let again = rewalked == 0 ? "" : ", \(rewalked == 1 ? "1 page" : "\(rewalked) pages") read again"
    return "the list moved while it was read (\(signs)\(again); \(certificate.isWhole ? "settled" : "not settled"))"
  }

  var missingPages: String { Self.missing("page", certificate.holes.map(String.init)) }

  var missingDocuments: String { Self.missing("document", certificate.unavailable.map(String.init)) }

  private static func missing(_ noun: String, _ numbers: [String]) -> String {
    let shown = numbers.prefix(10).joined(separator: ", ")
    return numbers.count == 1
      ? "\(noun) \(shown)" : "\(numbers.count) \(noun)s (\(shown)\(numbers.count > 10 ? ", …" : ""))"
  }
}
