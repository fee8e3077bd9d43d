struct SimulatedCatalogue: Sendable {
  let kind: SimulatedKind
  let count: Int
  private let revision: Int
  private let hasTitledPictures: Bool
  private let draws: Draws
  private let identifiers: ScatteredIdentifiers

  init(kind: SimulatedKind, settings: JikanSettings) {
    self.kind = kind
    count = kind == .anime ? settings.animeItems : settings.mangaItems
    revision = settings.revision
    hasTitledPictures = settings.hasTitledPictures
    draws = Draws(seed: settings.seed, stream: kind == .anime ? 1 : 2)
    identifiers = ScatteredIdentifiers(
      seed: settings.seed, stream: kind == .anime ? 3 : 4, halfBits: kind == .anime ? 8 : 9)
  }

  func row(_ index: Int) -> JikanRow {
    JikanRow(
      kind: kind, index: index, malID: identifiers.identifier(ofRow: index), draws: draws.of(index),
      isUnscored: index >= count - count * 15 / 100, revision: revision,
      hasTitledPicture: hasTitledPictures)
  }

  func row(malID: Int) -> JikanRow? {
    guard let index = identifiers.row(ofIdentifier: malID), index < count else { return nil }
    return row(index)
  }
}
