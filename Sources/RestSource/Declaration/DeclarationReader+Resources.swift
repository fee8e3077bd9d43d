import SyncCore
import Yams

extension DeclarationReader {
  /// Returns the readers of the elements of `resources`, in their order.
  func resourceReaders(
    _ part: DeclarationPart, defaults: [String: DeclarationPart], client: ClientReader
  ) throws(SyncError) -> [ResourceReader] {
    guard let list = part.node.sequence, !list.isEmpty else {
      throw part.fault("must be a list with a resource", hint: "write resources: [{ name: products }]")
    }
    var readers: [ResourceReader] = []
    for (index, node) in list.enumerated() {
      let reader = try ResourceReader(
        id, part.below("[\(index)]", node), defaults: defaults, client: client, folder: folder)
      for other in readers { try Self.expectOtherName(reader, than: other) }
      readers.append(reader)
    }
    return readers
  }

  /// Reads the resources. A parent precedes its children; other resources keep their order.
  static func resources(_ readers: [ResourceReader]) throws(SyncError) -> [Declaration.Resource] {
    let requests = try readers.map { (reader) throws(SyncError) in try reader.requests() }
    try expectNoViewsOfPlaces(readers, requests)
    var read: [String: Declaration.Resource] = [:]
    var resources: [Declaration.Resource] = []
    for index in try order(of: readers.map(\.name), requests.map(\.parent)) {
      let parent = requests[index].parent.flatMap { read[$0.resource] }
      let resource = try readers[index].resource(requests[index], parent: parent)
      read[resource.name] = resource
      resources.append(resource)
    }
    return resources
  }

  /// Returns the indices of the resources, with each parent before its children.
  /// - Parameters:
  ///   - names: The distinct names of the resources.
  ///   - parents: The parents of the resources, in the same order.
  /// - Throws: `SyncError` for a parent that does not exist, and for resources that depend on themselves.
  private static func order(
    of names: [String], _ parents: [PlaceholderReader.Link?]
  ) throws(SyncError) -> [Int] {
    let indices = Dictionary(zip(names, names.indices)) { first, _ in first }
    var placed: Set<Int> = []
    var order: [Int] = []
    for index in names.indices {
      // The resource and its ancestors that do not yet have a place.
      var chain: [Int] = []
      var isInChain: Set<Int> = []
      var next: Int? = index
      while let current = next, !placed.contains(current) {
        isInChain.insert(current)
        chain.append(current)
        guard let link = parents[current] else { break }
        let parent = try parent(link, indices, names)
        guard !isInChain.contains(parent) else {
          let circle = (chain.drop { $0 != parent } + [parent]).map { names[$0] }.joined(separator: " → ")
          throw link.part.fault(
            "makes the resource depend on itself: \(Excerpt.of(circle, scalars: 200))",
            hint: "remove a placeholder: the first resource must have one list")
        }
        next = parent
      }
      placed.formUnion(chain)
      order += chain.reversed()
    }
    return order
  }

  private static func parent(
    _ link: PlaceholderReader.Link, _ indices: [String: Int], _ names: [String]
  ) throws(SyncError) -> Int {
    guard let index = indices[link.resource] else {
      throw link.part.fault(
        "names the resource \(Excerpt.of(link.resource, scalars: 40)), which is not declared",
        hint: Suggestion.hint(for: link.resource, among: names))
    }
    return index
  }

  /// - Throws: `SyncError` if a table would have the name of a child's view of places.
  private static func expectNoViewsOfPlaces(
    _ readers: [ResourceReader], _ requests: [ResourceReader.Requests]
  ) throws(SyncError) {
    let views = Set(zip(readers, requests).filter { $0.1.parent != nil }.map { "\($0.0.name)_places" })
    guard let reader = readers.first(where: { views.contains($0.name) }) else { return }
    throw reader.part.fault(
      "\(reader.name) is the name of a view, which shows the places of a child's items",
      hint: "give the resource another name; path stays")
  }

  /// - Throws: `SyncError` if tables of the two resources would have the same name.
  private static func expectOtherName(_ reader: ResourceReader, than other: ResourceReader) throws(SyncError) {
    let suffixes = ["", "_list", "_counters", "_full"]
    for (one, two) in [(reader.name, other.name), (other.name, reader.name)] {
      guard !suffixes.contains(where: { one == two + $0 }) else {
        throw reader.part.fault(
          "the tables of \(one) have the names of those of \(two)",
          hint: "give each resource a name of its own; path stays")
      }
    }
  }
}
