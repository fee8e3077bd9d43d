/// About sixty handmade Pokémon with all related documents, from `world.json`.
///
/// The file has one document per line. In its strings, `@type/12` is a link, `$name` is one of the `fragments`, and
/// `{}` is the id of the document. `#22 9 1` is move 22, which is learned at level 9 since version group 1.
struct PokeWorld: Sendable {
  static let shared = PokeWorld(EmbeddedJSON.tree("PokeAPI/world.json"))

  private static let firstCopy = 100_000

  let lists: [String: [SimulatedPokeAPI.Row]]
  private let documents: [PokeAPIAddress: JSONTree]
  private let encounters: JSONTree?
  private let fragments: JSONTree?
  private let links: [String: JSONTree]

  private init(_ file: JSONTree) {
    var lists: [String: [SimulatedPokeAPI.Row]] = [:]
    var documents: [PokeAPIAddress: JSONTree] = [:]
    var links: [String: JSONTree] = [:]
    for endpoint in file["documents"]?.members ?? [] {
      for document in endpoint.value.elements {
        guard let id = document["id"]?.text.flatMap({ Int($0) }) else { continue }
        let address = PokeAPIAddress(String(decoding: endpoint.name, as: UTF8.self), id)
        let name = document["name"]?.text
        lists[address.endpoint, default: []].append((id: id, name: name))
        documents[address] = document
        let url = "\(SimulatedPokeAPI.path)/\(address.text)/"
        let link: SimulatedJSON = .object([("name", name.map { .string($0) }), ("url", .string(url))])
        links[address.text] = JSONTree(link.bytes)
      }
    }
    self.lists = lists
    self.documents = documents
    self.links = links
    encounters = file["encounters"]
    fragments = file["fragments"]
  }

  func document(_ address: PokeAPIAddress) -> [UInt8]? {
    guard address.endpoint == PokeAPIAddress.encounters else {
      return documents[address].map { expanded($0, address.id).bytes }
    }
    guard documents[PokeAPIAddress("pokemon", address.id)] != nil else { return nil }
    return expanded(encounters?["\(address.id)"] ?? .array([]), address.id).bytes
  }

  func documents(count: Int) -> PokeAPIDocuments {
    let originals = lists["pokemon"] ?? []
    let copies = (originals.count..<max(count, originals.count)).map { number -> SimulatedPokeAPI.Row in
      (id: Self.firstCopy + number, name: "\(originals[number % originals.count].name ?? "")-\(number)")
    }
    var lists = lists
    lists["pokemon"] = originals + copies
    return PokeAPIDocuments(hash: "9c2f04d1be7a6538f0c1d94e27ab8605d3f71e2a", lists: lists) { address in
      let number = address.id - Self.firstCopy - originals.count
      guard copies.indices.contains(number) else { return document(address) }
      if address.endpoint == PokeAPIAddress.encounters { return Array("[]".utf8) }
      let original = originals[(originals.count + number) % originals.count].id
      guard address.endpoint == "pokemon", var copy = documents[PokeAPIAddress("pokemon", original)] else { return nil }
      copy["id"] = .verbatim("\(address.id)")
      copy["name"] = .string(copies[number].name ?? "")
      return expanded(copy, address.id).bytes
    }
  }

  private func expanded(_ tree: JSONTree, _ id: Int) -> JSONTree {
    switch tree {
    case .array(let elements): return .array(elements.map { expanded($0, id) })
    case .object(let members): return .object(members.map { JSONTree.Member($0.name, expanded($0.value, id)) })
    case .verbatim: return tree
    case .string(let bytes):
      let name = { String(decoding: bytes.dropFirst(), as: UTF8.self) }
      switch bytes.first {
      case UInt8(ascii: "@"): return links[name()] ?? tree
      case UInt8(ascii: "#"): return expanded(learned(name()), id)
      case UInt8(ascii: "$"): return fragments?[name()].map { expanded($0, id) } ?? tree
      default:
        guard bytes.contains(UInt8(ascii: "{")) else { return tree }
        return .string(String(decoding: bytes, as: UTF8.self).replacing("{}", with: "\(id)"))
      }
    }
  }

  private func learned(_ text: String) -> JSONTree {
    let numbers = text.split(separator: " ").compactMap { Int($0) }
    let (move, level, first) = (numbers[0], numbers[1], numbers[2])
    let details = (lists["version-group"] ?? []).filter { $0.id >= first }.map { group -> SimulatedJSON in
      #"""
      {"level_learned_at":\#(level),"move_learn_method":"@move-learn-method/\#(level > 0 ? 1 : 4)","order":null,\#
      "version_group":"@version-group/\#(group.id)"}
      """#
    }
    let json: SimulatedJSON = #"{"move":"@move/\#(move)","version_group_details":\#(.array(details))}"#
    return JSONTree(json.bytes) ?? .array([])
  }
}
