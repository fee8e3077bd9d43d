import Foundation
import Synchronization

/// An upstream that sends the version of each answer, and answers 304 to clients that have it.
///
/// Only answers to GET with status 200 have a version.
package struct ConditionalUpstream: SimulatedUpstream {
  /// The header that carries a version.
  package enum Validator: Sendable, CaseIterable {
    /// `ETag` from the bytes of the body.
    case etag
    /// The same, marked as weak, as servers do that compress.
    case weakETag
    /// `Last-Modified`, the second in which the body was first seen in this form. Two versions of one address never
    /// have the same, however fast they follow each other.
    case lastModified
  }

  private let upstream: any SimulatedUpstream
  private let validators: Set<Validator>
  private let ages = BodyAges()

  package init(_ upstream: any SimulatedUpstream, validators: Set<Validator> = [.etag]) {
    self.upstream = upstream
    self.validators = validators
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer {
    var answer = await upstream.answer(request)
    guard request.method == "GET", answer.status == 200 else { return answer }
    let digest = Self.digest(answer.body)
    let modified = validators.contains(.lastModified) ? ages.modified(request.target, digest, now: Date()) : nil
    let etag = etag(digest)
    if let etag { answer.headers.append(HeaderField("ETag", etag)) }
    if let modified { answer.headers.append(HeaderField("Last-Modified", HTTPDate.text(modified))) }
    guard Self.isKnown(request, etag: etag, modified: modified) else { return answer }
    answer.headers.removeAll { $0.name == "Content-Type" }
    return SimulatedAnswer(status: 304, headers: answer.headers)
  }

  private func etag(_ digest: UInt64) -> String? {
    let tag = "\"\(String(digest, radix: 16))\""
    return validators.contains(.etag) ? tag : validators.contains(.weakETag) ? "W/\(tag)" : nil
  }

  /// Whether the client says that it has this version. A date counts only where no `If-None-Match` is sent, which is
  /// the rule of HTTP.
  static func isKnown(_ request: SimulatedRequest, etag: String?, modified: Date?) -> Bool {
    let tags = request.headers.filter { $0.name.lowercased() == "if-none-match" }
    guard tags.isEmpty else {
      return tags.contains { matches($0.value, etag) }
    }
    guard let modified, let since = request.header("if-modified-since").flatMap(HTTPDate.date) else { return false }
    return modified <= since
  }

  /// A list of tags, or the asterisk that stands for any; tags are compared without the mark of weakness.
  private static func matches(_ list: String, _ etag: String?) -> Bool {
    // The tags made here have no comma inside.
    list.split(separator: ",").map(\.trimmed).contains { $0 == "*" || $0.withoutWeakness == etag?[...].withoutWeakness }
  }

  /// A hash of the bytes, the same in every run and on every machine.
  static func digest(_ bytes: [UInt8]) -> UInt64 {
    bytes.withUnsafeBytes { bytes in
      var state = Draws.mixed(UInt64(bytes.count))
      let whole = bytes.count & ~7
      for offset in stride(from: 0, to: whole, by: 8) {
        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
        state ^= state >> 29
      }
      for byte in bytes[whole...] { state = (state ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15 }
      return Draws.mixed(state)
    }
  }
}

extension Substring {
  fileprivate var withoutWeakness: Substring { hasPrefix("W/") ? dropFirst(2) : self }
}

/// Since when the body of each address is as it is.
private final class BodyAges: Sendable {
  /// Addresses that are remembered; all others are as new as the moment.
  private static let limit = 100_000

  private struct Age: Sendable {
    var digest: UInt64
    var modified: Date
  }

  private let ages = Mutex<[String: Age]>([:])

  /// The second, at least one after that of the version before.
  func modified(_ target: String, _ digest: UInt64, now: Date) -> Date {
    ages.withLock { ages in
      let known = ages[target]
      if let known, known.digest == digest { return known.modified }
      let second = Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down))
      let modified = known.map { max(second, $0.modified.addingTimeInterval(1)) } ?? second
      if known != nil || ages.count < Self.limit { ages[target] = Age(digest: digest, modified: modified) }
      return modified
    }
  }
}

/// Dates as HTTP writes them.
enum HTTPDate {
  static func text(_ date: Date) -> String { formatter.string(from: date) }

  static func date(_ text: String) -> Date? { formatter.date(from: text) }

  private static let formatter = {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter
  }()
}
