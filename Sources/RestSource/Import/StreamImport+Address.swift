import Foundation
import SyncCore
import SyncProgram

/// The address of a list in a manifest.
struct ImportedAddress: Equatable {
  /// `https://api.example.org`
  let origin: String
  /// The segments of the path of `url_base`.
  let base: [String]
  /// The segments after them, with placeholders. An empty last segment is a final slash.
  let segments: [String]
  /// The parameters that the manifest writes in the address.
  let query: [(name: String, value: String)]

  static func == (one: ImportedAddress, other: ImportedAddress) -> Bool {
    one.origin == other.origin && one.base == other.base && one.segments == other.segments
  }

  /// Returns the path below a base that `base` begins with.
  func path(below common: [String]) -> String {
    (base.dropFirst(common.count) + segments).joined(separator: "/")
  }
}

extension StreamImport {
  /// Returns the address of the stream's requests.
  mutating func address(_ requester: ManifestPart) throws(UnusableStream) -> ImportedAddress {
    guard let basePart = requester.member("url") ?? requester.member("url_base") else {
      throw UnusableStream(line: requester.line, reason: "it has no url", advice: "write the resource by hand")
    }
    let base = try addressText(text(basePart, in: requester))
    if base.hasPrefix("http://"), !Origin.isLoopback(base) {
      remarks.add(
        basePart.line, nil, "the address has http, and base_url has https",
        "write http and client.allow_insecure: true if the service has no encryption")
    }
    var path = ""
    if let pathPart = requester.member("path") { path = try addressText(text(pathPart, in: requester), isPath: true) }
    if path.contains("://") { return try Self.address(path, "", line: basePart.line) }
    return try Self.address(base, path, line: basePart.line)
  }

  private static func address(_ base: String, _ path: String, line: Int) throws(UnusableStream) -> ImportedAddress {
    guard let scheme = base.range(of: "://") else {
      throw UnusableStream(
        line: line, reason: "\(Excerpt.of(base, scalars: 100)) is not an address", advice: "write the resource by hand")
    }
    let rest = base[scheme.upperBound...]
    let host = rest.prefix { !"/?".contains($0) }
    guard !host.isEmpty, !host.contains("{"), !host.contains("@") else {
      throw UnusableStream(
        line: line, reason: "its address has a user, or depends on a parent's record",
        advice: "declare a source for each host, and credentials in client.auth")
    }

    let baseParts = rest.dropFirst(host.count).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let pathParts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let basePath = baseParts.first ?? ""
    let ownPath = pathParts.first.map { $0.drop { $0 == "/" } } ?? ""
    // Without a path, url_base or url is the whole address.
    let isWhole = ownPath.isEmpty
    let baseSegments = basePath.split(separator: "/").map(String.init)
    let ownSegments = ownPath.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let isFinalSlash = isWhole && basePath.hasSuffix("/") && !baseSegments.isEmpty
    let hasPlaceholder = basePath.contains("{")
    let query = [baseParts.dropFirst().first, pathParts.dropFirst().first].compactMap(\.self)
    return ImportedAddress(
      origin: origin(base[..<scheme.lowerBound], host),
      base: isWhole || hasPlaceholder ? [] : baseSegments,
      segments: (isWhole || hasPlaceholder ? baseSegments : []) + (isWhole ? [] : ownSegments)
        + (isFinalSlash ? [""] : []),
      query: query.flatMap(Self.parameters))
  }

  /// Returns the scheme and the host. Only this machine is asked without encryption.
  private static func origin(_ scheme: Substring, _ host: Substring) -> String {
    let isPlain = scheme.lowercased() == "http" && Origin.isLoopback("http://\(host)")
    return isPlain ? "http://\(host)" : "https://\(host)"
  }

  private static func parameters(_ query: Substring) -> [(name: String, value: String)] {
    query.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { String($0).replacing("+", with: " ") }
      let value = parts.count > 1 ? parts[1] : ""
      return (parts[0].removingPercentEncoding ?? parts[0], value.removingPercentEncoding ?? value)
    }
  }

  /// Returns a text of an address, with placeholders for unknown options and for values of the router.
  /// - Parameter isPath: Whether the text follows the host.
  private mutating func addressText(_ text: ImportedText, isPath: Bool = false) throws(UnusableStream) -> String {
    var address = ""
    for (index, part) in text.parts.enumerated() {
      switch part {
      case .text(let text): address += text.replacing("{", with: "%7B").replacing("}", with: "%7D")
      case .option(let option):
        guard !context.spec.isSecret(option) else {
          throw UnusableStream(
            line: text.line, reason: "its address contains the secret config.\(option.joined(separator: "."))",
            advice: "send it in a header or a parameter if the service accepts that: addresses are shown and stored")
        }
        let isWhole = index == 0 && !isPath
        let isHost =
          isWhole || address.contains("://") && !address.drop(while: { $0 != ":" }).dropFirst(3).contains("/")
        let placeholder = Self.placeholder(option)
        let word = isHost ? placeholder.replacing("_", with: "-") : placeholder
        let next = text.parts.indices.contains(index + 1) ? text.parts[index + 1] : nil
        address += isWhole ? "https://" : ""
        address += isHost && Self.endsHost(next) && address.hasSuffix("://") ? "\(word).example.org" : word
        ask(for: option, word, at: text.line, isShared: isHost)
      case .partition(let names): address += try placeholder(names, line: text.line)
      case .interval, .moment:
        throw UnusableStream(
          line: text.line, reason: "its address contains a date", advice: "dates can only be parameters; \(Self.byHand)"
        )
      case .pageToken:
        throw UnusableStream(
          line: text.line, reason: "its address contains the token of the next page",
          advice: "write the resource with paginator: { type: json_link } if the token is an address")
      case .other(_, let source):
        throw UnusableStream(
          line: text.line, reason: "its address contains {{ \(Excerpt.of(source, scalars: 120)) }}",
          advice: Self.byHand)
      }
    }
    return address
  }

  static let byHand = "write the resource by hand"

  /// Whether nothing of the host follows.
  private static func endsHost(_ part: ImportedText.Part?) -> Bool {
    guard let part else { return true }
    if case .text(let text) = part { return text.hasPrefix("/") || text.hasPrefix("?") }
    return false
  }
}
