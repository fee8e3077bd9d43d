import Synchronization

/// The iTunes search, its lookups, and the charts of the stores, served from generated records.
///
/// For any term there are artists, albums, songs and all else, the same each time and in each process with the same
/// seed. A record is found by its number once its term was searched for; those of the charts always are.
package final class GeneratedITunes: SimulatedUpstream {
  private let catalogue: ITunesCatalogue
  private let state: Mutex<ITunesSettings>
  private let requests = ITunesRequestCount()

  package init(_ settings: ITunesSettings = ITunesSettings()) {
    catalogue = ITunesCatalogue(seed: settings.seed)
    state = Mutex(settings)
    for term in settings.terms { _ = catalogue.world(of: term, settings) }
  }

  /// From the next request on; another seed makes other records.
  package var settings: ITunesSettings {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer {
    guard request.method == "GET" || request.method == "HEAD" else { return SimulatedAnswer(status: 405) }
    var answer = answer(request, settings)
    if request.method == "HEAD" { answer.body = [] }
    return answer
  }

  private func answer(_ request: SimulatedRequest, _ settings: ITunesSettings) -> SimulatedAnswer {
    guard let service = ITunesService(path: request.path) else { return SimulatedAnswer(status: 404) }
    guard service != .charts else { return ITunesCharts(settings: settings, catalogue: catalogue).answer(request.path) }
    if let refusal = requests.refusal(settings) { return refusal }
    let isOld = request.path.hasPrefix(ITunesService.oldPath)
    let answers = ITunesAnswers(settings: settings, catalogue: catalogue, isOld: isOld)
    do throws(ITunesProblem) {
      let parameters = QueryParameters(request.query)
      return service == .search ? try answers.search(parameters) : try answers.lookup(parameters)
    } catch {
      return error.answer
    }
  }

  // MARK: Other names of records

  /// The bar code of an album in a store; nil if it is invalid.
  package func upc(ofAlbum id: Int, country: String) -> String? {
    address(of: id, .album, country).map { ITunesCodes.upc(of: $0) }
  }

  /// The printed number of a book in a store; nil if it is invalid.
  package func isbn(ofEbook id: Int, country: String) -> String? {
    address(of: id, .ebook, country).map { ITunesCodes.isbn(of: $0) }
  }

  private func address(of id: Int, _ kind: ITunesKind, _ country: String) -> ITunesAddress? {
    guard let store = ITunesStorefront(country) else { return nil }
    let address = ITunesIdentifiers(seed: settings.seed).address(of: id, in: store)
    return address?.kind == kind ? address : nil
  }
}

/// The kinds of requests, by path.
enum ITunesService: Equatable {
  case search
  case lookup
  case charts

  /// Where the service was before it had short addresses.
  static let oldPath = "/WebObjects/MZStoreServices.woa/wa/"
  /// Charts have the same path as another service, whose documents have another ending.
  static let chartPath = "/api/v2/"

  init?(path: String) {
    switch path {
    case "/search", "\(Self.oldPath)wsSearch": self = .search
    case "/lookup", "\(Self.oldPath)wsLookup": self = .lookup
    default:
      guard path.hasPrefix(Self.chartPath), path.hasSuffix(".json") else { return nil }
      self = .charts
    }
  }
}

/// Counts searches and lookups, and refuses some of them.
private final class ITunesRequestCount: Sendable {
  private let state = Mutex((count: 0, answered: [ContinuousClock.Instant]()))

  /// The answer that replaces the correct one, or nil.
  func refusal(_ settings: ITunesSettings) -> SimulatedAnswer? {
    let (number, isThrottled) = state.withLock { state in
      state.count += 1
      guard let throttle = settings.throttle else { return (state.count, false) }
      let now = ContinuousClock.now
      state.answered.removeAll { now - $0 >= throttle.window }
      guard state.answered.count < throttle.requests else { return (state.count, true) }
      state.answered.append(now)
      return (state.count, false)
    }
    if isThrottled { return .iTunesForbidden }
    let draws = Draws(seed: settings.seed, stream: 1 << 48).of(number)
    if draws.isHit(0, rate: settings.forbidden) { return .iTunesForbidden }
    if draws.isHit(1, rate: settings.html) { return .iTunesHTML }
    return draws.isHit(2, rate: settings.errorMessage) ? .iTunes(ITunesProblem.message("Service unavailable")) : nil
  }
}

extension SimulatedAnswer {
  /// A retry succeeds.
  fileprivate static let iTunesHTML = SimulatedAnswer(
    headers: [HeaderField("Content-Type", "text/html")],
    body: Array(
      """
      <html><head><title>Error</title></head><body>Your request produced an error. <BR>[newNullResponse]</body></html>
      """.utf8))
}
