struct EditedDocuments: Sendable {
  private static let firstStream: UInt64 = 1 << 36
  private enum Stream: UInt64 { case shuffle = 1, spelling }

  private static let extraEndpoint = "berry-dish"
  private static let extraRows: [SimulatedPokeAPI.Row] = [(1, "curry"), (2, "poffin")]

  let original: PokeAPIDocuments
  let settings: PokeAPISettings

  var endpoints: [String] { original.lists.keys + (settings.hasExtraEndpoint ? [Self.extraEndpoint] : []) }

  func rows(of endpoint: String) -> [SimulatedPokeAPI.Row]? {
    let isExtra = settings.hasExtraEndpoint && endpoint == Self.extraEndpoint
    guard var rows = isExtra ? Self.extraRows : original.lists[endpoint] else { return nil }
    rows.removeAll { settings.removed.contains(PokeAPIAddress(endpoint, $0.id)) }
    rows = rows.map { (id: $0.id, name: settings.names[PokeAPIAddress(endpoint, $0.id)] ?? $0.name) }
    if let shuffle = settings.shuffle {
      var numbers = DrawnNumbers(draws(.shuffle, shuffle, endpoint))
      rows.shuffle(using: &numbers)
    }
    return rows
  }

  func document(_ address: PokeAPIAddress) -> [UInt8]? {
    let owner = address.endpoint == PokeAPIAddress.encounters ? PokeAPIAddress("pokemon", address.id) : address
    guard !settings.removed.contains(owner), let bytes = unedited(address) else { return nil }
    let isEdited =
      settings.unknown.contains(address) || settings.nulls[address] != nil || settings.names[address] != nil
      || settings.shuffle != nil
    guard isEdited, var tree = JSONTree(bytes) else { return bytes }
    if settings.unknown.contains(address) {
      tree["future_member"] = JSONTree(
        Array(#"{"of":{"name":"tomorrow","url":"/api/v2/tomorrow/1/"},"is_new":true}"#.utf8))
    }
    for member in settings.nulls[address] ?? [] where tree[member] != nil { tree[member] = .verbatim("null") }
    if let name = settings.names[address] { tree["name"] = .string(name) }
    if let shuffle = settings.shuffle {
      var numbers = DrawnNumbers(draws(.shuffle, shuffle, address.text))
      tree = tree.shuffledArrays(by: &numbers)
    }
    return tree.bytes
  }

  /// The links must be absolute before this call.
  func spelled(_ document: [UInt8], of address: PokeAPIAddress) -> [UInt8] {
    guard let seed = settings.spelling, let tree = JSONTree(document) else { return document }
    return tree.bytes(spelledBy: draws(.spelling, seed, address.text))
  }

  private func unedited(_ address: PokeAPIAddress) -> [UInt8]? {
    guard settings.hasExtraEndpoint, address.endpoint == Self.extraEndpoint else { return original.find(address) }
    guard let row = Self.extraRows.first(where: { $0.id == address.id }) else { return nil }
    let document: SimulatedJSON = #"""
      {"id":\#(row.id),"name":\#(row.name),"berries":[{"name":"cheri","url":"/api/v2/berry/1/"}],"servings":4}
      """#
    return document.bytes
  }

  func cachedFault(of address: PokeAPIAddress, _ request: SimulatedRequest) -> PokeAPISettings.CachedFault? {
    guard request.query.isEmpty, let entry = settings.cachedAt[address] else { return nil }
    return entry.form == .both || request.path.hasSuffix("/") ? entry.fault : nil
  }

  private func draws(_ stream: Stream, _ seed: UInt64, _ text: String) -> Draws {
    let draws = Draws(seed: seed, stream: Self.firstStream + stream.rawValue)
    return draws.of(Int(truncatingIfNeeded: ConditionalUpstream.digest(Array(text.utf8))))
  }
}
