/// Searches and lookups, answered from generated records.
struct ITunesAnswers {
  let settings: ITunesSettings
  let catalogue: ITunesCatalogue
  /// As the addresses of 2011, and `version=1`, still answer.
  let isOld: Bool

  // MARK: Searches

  func search(_ parameters: QueryParameters) throws(ITunesProblem) -> SimulatedAnswer {
    let query = try ITunesQuery(parameters)
    guard let media = query["media"].map({ ITunesMedia(rawValue: $0) }) ?? .all else { throw .invalid("mediaType") }
    let entity = query["entity"] ?? media.entity
    guard query["entity"] == nil || media.has(entity: entity) else { throw .invalid("resultEntity") }
    if let attribute = query["attribute"], !media.has(attribute: attribute) { throw .invalid("attributeType") }
    guard let world = catalogue.world(of: query["term"] ?? "", settings) else { return .iTunes(results: []) }
    let found = found(in: world, entity, query)
    var offset = 0
    if settings.honoursOffset, let text = query["offset"] {
      guard let number = Int(text), number >= 0 else { throw .invalid("offset") }
      offset = number
    }
    return .iTunes(results: repeated(found).dropFirst(offset).prefix(query.limit).map(\.json))
  }

  /// All that a search finds, best first.
  private func found(in world: ITunesWorld, _ entity: String, _ query: ITunesQuery) -> [ITunesRecord] {
    let roles = ITunesEntity.roles(entity)
    let attribute = query["attribute"].map { ITunesAttribute($0) }
    let hidesExplicit = query["explicit"]?.lowercased() == "no"
    let records = ITunesEntity.kinds(entity).flatMap { world.addresses($0) }.compactMap { address -> ITunesRecord? in
      let record = record(address, in: world, query)
      switch address.kind {
      case .artist: guard roles.contains(world.role(of: address)) else { return nil }
      case .film: guard record.isShortFilm || entity != "shortFilm" else { return nil }
      default: break
      }
      switch attribute {
      case .name: guard world.isByName(address) else { return nil }
      case .title: guard !world.isByName(address) else { return nil }
      case .number: guard record.draw(.ratings, below: 2) == 0 else { return nil }
      case nil: break
      }
      guard isThere(record), !hidesExplicit || record.explicitness != "explicit" else { return nil }
      return record
    }
    let order = Draws(seed: settings.shuffle ?? settings.seed, stream: settings.shuffle == nil ? 1 << 45 : 1 << 46)
      .of(Int(query.store.number))
    return
      records.map { (rank: rank($0, order), record: $0) }
      .sorted { ($0.rank, $0.record.address.row) < ($1.rank, $1.record.address.row) }
      .map(\.record)
  }

  /// The newest first, and works by the artist mostly before works about that name.
  private func rank(_ record: ITunesRecord, _ order: Draws) -> Int {
    if record.address.addition != nil { return -1 }
    let isByName = record.world.isByName(record.address)
    return order.of(record.address.row).draw(0, below: 1 << 20) + (isByName ? 0 : 1 << 19)
  }

  // MARK: Lookups

  func lookup(_ parameters: QueryParameters) throws(ITunesProblem) -> SimulatedAnswer {
    let query = try ITunesQuery(parameters)
    let entity = query["entity"]
    if let entity, !ITunesMedia.all.has(entity: entity) { throw .invalid("resultEntity") }
    var records: [ITunesRecord] = []
    for address in try asked(for: query) {
      guard let world = catalogue.world(address.world, settings), world.has(address) else { continue }
      let record = record(address, in: world, query)
      guard isThere(record) else { continue }
      // The parent first, and then what belongs to it.
      records.append(record)
      guard let entity else { continue }
      var children = children(of: record, entity).map { record.other($0) }.filter { isThere($0) }
      if query["sort"] == "recent" { children.sort { $0.releaseDate > $1.releaseDate } }
      records += children.prefix(query.limit)
    }
    return .iTunes(results: records.map(\.json))
  }

  /// The items requested by number or by another name, once for each name.
  private func asked(for query: ITunesQuery) throws(ITunesProblem) -> [ITunesAddress] {
    let identifiers = ITunesIdentifiers(seed: settings.seed)
    var addresses: [ITunesAddress?] = []
    addresses += try query.numbers("id", called: "itunesId").map { identifiers.address(of: $0, in: query.store) }
    addresses += try query.numbers("amgArtistId", called: "amgArtistId").map { ITunesCodes.artist(amg: $0) }
    addresses += try query.numbers("amgAlbumId", called: "amgAlbumId").map { ITunesCodes.album(amg: $0) }
    // No generated film is in the guide.
    _ = try query.numbers("amgVideoId", called: "amgVideoId")
    addresses += query.list("bundleId").map { ITunesCodes.app(bundle: $0) }
    addresses += query.list("upc").map { ITunesCodes.album(upc: $0) }
    addresses += query.list("isbn").map { ITunesCodes.ebook(isbn: $0) }
    guard addresses.count <= ITunesQuery.longestAnswer else { throw .invalid("itunesId") }
    // Once for each number; an app requested by number and by name comes twice, as in the real service.
    var seen: Set<ITunesAddress> = []
    let byNumber = query.list("id").count
    return addresses.enumerated().compactMap { place, address in
      guard let address else { return nil }
      return seen.insert(address).inserted || place >= byNumber ? address : nil
    }
  }

  private func children(of record: ITunesRecord, _ entity: String) -> [ITunesAddress] {
    let (world, address) = (record.world, record.address)
    let kinds = ITunesEntity.kinds(entity)
    switch address.kind {
    case .artist:
      let role = world.role(of: address)
      return kinds.filter { $0 != .artist }.flatMap { world.addresses($0) }.filter { world.role(of: $0) == role }
    case .album: return kinds.contains(.song) ? world.songs(ofAlbum: address) : []
    case .podcast: return kinds.contains(.podcastEpisode) ? world.episodes(ofPodcast: address) : []
    case .tvSeason: return kinds.contains(.tvEpisode) ? world.episodes(ofSeason: address) : []
    case .song: return kinds.contains(.album) ? [world.album(ofSong: address)] : []
    default: return []
    }
  }

  // MARK: Parts

  private func record(_ address: ITunesAddress, in world: ITunesWorld, _ query: ITunesQuery) -> ITunesRecord {
    ITunesRecord(
      world: world, address: address, store: query.store, language: query.language,
      isOld: isOld || query["version"] == "1", textIds: settings.textIds)
  }

  private func isThere(_ record: ITunesRecord) -> Bool {
    record.isAvailable && (settings.removed.isEmpty || !settings.removed.contains(record.id))
  }

  /// The records, some of them twice in a row if the settings say so.
  private func repeated(_ records: [ITunesRecord]) -> [ITunesRecord] {
    records.flatMap { record in
      let isRepeated = record.draws.isHit(ITunesRecord.Aspect.repeats.rawValue, rate: settings.repeats)
      return Array(repeating: record, count: isRepeated ? 2 : 1)
    }
  }
}
