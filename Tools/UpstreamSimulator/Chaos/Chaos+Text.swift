import Foundation

extension Chaos {
  /// In bytes, so that a wrong name cannot fill the memory.
  private static let fileLimit = 64 << 10

  /// Reads a plan, or the file of that name. Throws ``ChaosError`` if `text` is neither.
  package init(planOrFile text: String, seed: UInt64) throws(ChaosError) {
    let error: ChaosError
    do {
      self = try Chaos(text, seed: seed)
      return
    } catch let unread {
      error = unread
    }
    guard let file = FileHandle(forReadingAtPath: text) else {
      if text.contains("=") || text.contains(",") { throw error }
      throw ChaosError("\(error); and there is no file \(text)")
    }
    let data: Data
    do {
      data = try file.read(upToCount: Self.fileLimit + 1) ?? Data()
    } catch {
      throw ChaosError("\(text) cannot be read as a file of faults")
    }
    guard data.count <= Self.fileLimit, let plan = String(bytes: data, encoding: .utf8) else {
      throw ChaosError("\(text) is no file of faults: it is not text, or longer than \(Self.fileLimit) bytes")
    }
    do {
      self = try Chaos(plan, seed: seed)
    } catch {
      throw ChaosError("\(text): \(error)")
    }
  }

  package static var help: String {
    let names = FaultName.all.map { name in
      "  \(name.label.padding(toLength: 24, withPad: " ", startingAt: 0))\(name.summary)"
    }
    return """
      A rule is NAME[@WHERE][=RATE[xCOUNT]][:VALUE]. Rules are separated by commas, in a file by line ends too, where \
      a hash sign starts a comment.

      WHERE is a page (7), pages (7-9) or a span of time since the start (10s-70s). RATE is the share of requests, 0 \
      to 1; without it 1. COUNT makes each hit a burst of that many requests in a row. VALUE is the fault's parameter, \
      with the default shown. The seed and the number of a request decide what happens to it. A request has one fault \
      at most: rules with a WHERE come first.

      \(names.joined(separator: "\n"))
        NNN[:SECONDS]           any status from 400 to 599; Retry-After if given
        down@SPAN               refuses connections, as in down@10s-70s
      """
  }
}
