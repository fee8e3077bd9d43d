import SyncCore
import SyncEngine
import SyncTestKit

/// A walk of a service's list, which can be killed and resumed after any page.
struct ServiceWalk {
  private static let request = UpstreamRequest(url: "http://test/list")

  struct Violation: Error, CustomStringConvertible {
    let description: String
  }

  private(set) var service: PagedService
  private(set) var certificate: Certificate?
  /// The keys of the published pages.
  private(set) var published: Set<Int64> = []
  private(set) var kills = 0
  /// One line for each request, to see what happened.
  private(set) var log: [String] = []
  /// The service's error that ended the walk.
  private(set) var error: SyncError?
  private var walk: any Walk
  private var stored: [StoredPage] = []
  private var requestOf: [Int] = []
  private let killRate: Double
  private var generator: SeededGenerator

  /// - Parameter killRate: The probability that the process is killed after a page.
  init(_ service: PagedService, killRate: Double, _ generator: SeededGenerator) {
    self.service = service
    self.killRate = killRate
    self.generator = generator
    walk = service.paging.machine
  }

  /// Walks to the end, and checks what the certificate claims.
  mutating func run() throws(Violation) {
    var step = walk.start
    while case .fetch(let address) = step {
      guard service.requests < 2_000 else { throw Violation(description: "no end after 2,000 requests") }
      let reading: Reading
      do throws(SyncError) {
        guard let next = try receive(address) else { return }
        reading = next
      } catch {
        self.error = error
        return
      }
      step = reading.step
      let keys = reading.stored?.keys.map { "\($0)" } ?? "-"
      log.append(
        "\(address.text) \(address.next ?? ""): \(keys) overlap \(reading.overlap), then \(step), \(service.changes) changes"
      )
      if let page = reading.stored {
        stored.append(page)
        requestOf.append(service.requests)
      }
      if !stored.isEmpty, case .fetch = step, Double.random(in: 0..<1, using: &generator) < killRate {
        step = kill()
      }
    }
    guard case .end(let reason) = step else { return }
    try check(reason)
  }

  /// - Returns: `nil` if the run ends because page 1 or a page of a chain is unavailable.
  private mutating func receive(_ address: PageAddress) throws(SyncError) -> Reading? {
    let isFailing = service.failsPastEnd(address)
    guard let answer = service.answer(address), !isFailing else {
      guard walk.hasHoles, service.requests > 1 else { return nil }
      // As in a run, the service's later pages are unavailable too.
      return walk.skip(address)
    }
    return try walk.receive(answer, at: address, request: Self.request)
  }

  /// Ends the process. The next process replays the stored pages.
  private mutating func kill() -> WalkStep {
    kills += 1
    walk = service.paging.machine
    return stored.reduce(walk.start) { walk.replay($1) }
  }

  private mutating func check(_ reason: Certificate.EndedBy) throws(Violation) {
    var certificate = walk.certificate(endedBy: reason)
    certificate.requireEvidence()
    self.certificate = certificate
    let readings = walk.publishedReadings ?? 0..<Int.max
    published = Set(stored.filter { readings.contains($0.number) }.compactMap(\.keys).joined())
    guard certificate.complete else { return }
    let missed = service.throughout.subtracting(published)
    guard missed.isEmpty else {
      throw Violation(description: "complete without \(missed.sorted()): \(certificate)")
    }
    guard !service.paging.isCatalogue, !service.paging.isChain else { return }
    guard published.count == certificate.distinctKeys else {
      throw Violation(description: "\(published.count) keys are published, but \(certificate)")
    }
    let began = readings.lowerBound > 0 ? requestOf[readings.lowerBound - 1] : 1
    let gone = service.removedBefore.filter { $0.value <= began && published.contains($0.key) }.keys
    guard gone.isEmpty else {
      throw Violation(description: "\(gone.sorted()) were removed before the last pass: \(certificate)")
    }
  }
}
