/// Documents as the settings have changed them.
struct EditedDocuments: Sendable {
  /// Apart from the streams of generated rows, which have small numbers.
  private static let firstStream: UInt64 = 1 << 36
  /// The seeds' own: one decides nothing of what another one does.
  private enum Stream: UInt64 {
    case mixed, shuffle, spelling
  }

  private static let extraEndpoint = "berry-dish"
  private static let extraRows = [PokeAPIRow(id: 1, name: "curry"), PokeAPIRow(id: 2, name: "poffin")]

  private let original: any PokeAPIDocuments
  private let settings: PokeAPISettings

  init(_ original: any PokeAPIDocuments, _ settings: PokeAPISettings) {
    self.original = original
    self.settings = settings
  }

  var build: PokeAPIBuild { original.build }

  var endpoints: [String] { original.endpoints + (settings.hasExtraEndpoint ? [Self.extraEndpoint] : []) }

  func rows(of endpoint: String) -> [PokeAPIRow]? {
    let isExtra = settings.hasExtraEndpoint && endpoint == Self.extraEndpoint
    guard var rows = isExtra ? Self.extraRows : original.rows(of: endpoint) else { return nil }
    rows.removeAll { settings.removed.contains(PokeAPIAddress(endpoint, $0.id)) }
    rows = rows.map { PokeAPIRow(id: $0.id, name: settings.names[PokeAPIAddress(endpoint, $0.id)] ?? $0.name) }
    if let shuffle = settings.shuffle {
      var numbers = DrawnNumbers(draws(.shuffle, shuffle, endpoint))
      rows.shuffle(using: &numbers)
    }
    return rows
  }

  func document(_ address: PokeAPIAddress) -> [UInt8]? {
    let owner = address.endpoint == "pokemon-encounters" ? PokeAPIAddress("pokemon", address.id) : address
    guard !settings.removed.contains(owner), !settings.removed.contains(address) else { return nil }
    guard let bytes = unedited(address) else { return nil }
    let isEdited =
      settings.unknown.contains(address) || settings.nulls[address] != nil || settings.names[address] != nil
      || settings.shuffle != nil
    guard isEdited, var tree = JSONTree(bytes) else { return bytes }
    if settings.unknown.contains(address) {
      tree["future_member"] = JSONTree(
        Array(#"{"of":{"name":"tomorrow","url":"/api/v2/tomorrow/1/"},"is_new":true}"#.utf8))
    }
    for member in settings.nulls[address] ?? [] { tree.setNull(member.split(separator: ".").map { String($0) }[...]) }
    if let name = settings.names[address] { tree["name"] = .verbatim("\"\(name)\"") }
    if let shuffle = settings.shuffle {
      var numbers = DrawnNumbers(draws(.shuffle, shuffle, address.text))
      tree = tree.shuffledArrays(by: &numbers)
    }
    return tree.bytes
  }

  /// The document in another spelling, its links included: they have to be whole by then.
  func spelled(_ document: [UInt8], of address: PokeAPIAddress) -> [UInt8] {
    guard let seed = settings.spelling, let tree = JSONTree(document) else { return document }
    return tree.bytes(spelledBy: draws(.spelling, seed, address.text))
  }

  private func unedited(_ address: PokeAPIAddress) -> [UInt8]? {
    guard settings.hasExtraEndpoint, address.endpoint == Self.extraEndpoint else { return original.document(address) }
    guard let row = Self.extraRows.first(where: { $0.id == address.id }) else { return nil }
    let document: SimulatedJSON = #"""
      {"id":\#(row.id),"name":\#(row.name),"berries":[{"name":"cheri","url":"/api/v2/berry/1/"}],"servings":4}
      """#
    return document.bytes
  }

  /// Whether the document has the hash of another build in its header.
  func isOfAnotherBuild(_ address: PokeAPIAddress) -> Bool {
    draws(.mixed, settings.seed, address.text).isHit(0, rate: settings.mixed)
  }

  /// The cached fault of the requested address; another query is another address.
  func cachedFault(of address: PokeAPIAddress, _ request: SimulatedRequest) -> PokeAPISettings.CachedFault? {
    guard request.query.isEmpty, let entry = settings.cachedAt[address] else { return nil }
    let form: PokeAPISettings.AddressForm = request.path.hasSuffix("/") ? .slash : .noSlash
    return entry.form == form || entry.form == .both ? entry.fault : nil
  }

  private func draws(_ stream: Stream, _ seed: UInt64, _ text: String) -> Draws {
    let draws = Draws(seed: seed, stream: Self.firstStream + stream.rawValue)
    return draws.of(Int(truncatingIfNeeded: ConditionalUpstream.digest(Array(text.utf8))))
  }
}

extension Draws {
  /// Whether an event of that rate happens.
  func isHit(_ aspect: Int, rate: Double) -> Bool { rate > 0 && fraction(aspect) < rate }

  /// A number from 0 to below 1.
  func fraction(_ aspect: Int) -> Double { Double(draw(aspect, below: 1 << 53)) / Double(1 << 53) }
}

extension JSONTree {
  /// Makes the member at the end of a path null, if there is one.
  fileprivate mutating func setNull(_ path: ArraySlice<String>) {
    guard let name = path.first, var member = self[name] else { return }
    if path.count == 1 { member = .verbatim("null") } else { member.setNull(path.dropFirst()) }
    self[name] = member
  }
}
