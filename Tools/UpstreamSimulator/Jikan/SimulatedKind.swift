package enum SimulatedKind: String, Sendable, CaseIterable {
  case anime, manga
}
