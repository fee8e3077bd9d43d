import Synchronization

final class JikanListings: Sendable {
  private static let limit = 8
  let catalogue: SimulatedCatalogue
  private let settings: JikanSettings
  private let cached = Mutex<[(selection: JikanSelection, listing: JikanListing)]>([])

  init(of kind: SimulatedKind, _ settings: JikanSettings) {
    catalogue = SimulatedCatalogue(kind: kind, settings: settings)
    self.settings = settings
  }

  func listing(_ selection: JikanSelection) -> JikanListing {
    cached.withLock { cached in
      if let cachedEntry = cached.first(where: { $0.selection == selection }) { return cachedEntry.listing }
      let made = JikanListing.make(selection, of: catalogue, settings: settings)
      if cached.count >= Self.limit { cached.removeFirst() }
      cached.append((selection, made))
      return made
    }
  }
}
