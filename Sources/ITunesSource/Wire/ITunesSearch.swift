import SyncCore
import SyncProgram

/// A search in a storefront. Its parameters are valid.
struct ITunesSearch: Sendable, Hashable {
  /// The configured name, or a name that begins with `@` and is derived from the parameters.
  let name: String
  let term: String
  let country: String
  let media: String?
  let entity: String?
  let attribute: String?
  let lang: String?
  let limit: Int?

  init(
    name: String? = nil, term: String, country: String = "us", media: String? = nil, entity: String? = nil,
    attribute: String? = nil, lang: String? = nil, limit: Int? = nil
  ) throws(SyncError) {
    self.term = try ITunesRules.term(term)
    self.country = try ITunesRules.country(country)
    let place = media.map { " for media \($0)" } ?? ""
    self.media = try media.map { text throws(SyncError) in
      try ITunesRules.word(text, "media", of: ITunesVocabulary.media)
    }
    self.entity = try entity.map { text throws(SyncError) in
      try ITunesRules.word(text, "entity", of: ITunesVocabulary.entities(of: media), in: place)
    }
    self.attribute = try attribute.map { text throws(SyncError) in
      try ITunesRules.word(text, "attribute", of: ITunesVocabulary.attributes(of: media), in: place)
    }
    self.lang = try lang.map { text throws(SyncError) in try ITunesRules.language(text) }
    self.limit = try limit.map { number throws(SyncError) in
      try ITunesRules.number(number, "limit", in: 1...ITunes.recordsPerCall)
    }
    let derived = ITunesQuery.name(
      label: "\(self.term) \(self.country)",
      [self.country, self.term, media ?? "", entity ?? "", attribute ?? "", self.lang ?? "", Self.text(limit)])
    self.name = try name.map(ITunesRules.name) ?? derived
  }

  /// Whether a command asks for the search. Configured names do not begin with `@`.
  var isQuestion: Bool { name.hasPrefix("@") }

  /// The parameters of the search, except the storefront, as its SQL stores them.
  var values: [String] { [term, media ?? "", entity ?? "", attribute ?? "", lang ?? "", Self.text(limit)] }

  private static func text(_ limit: Int?) -> String { limit.map { "\($0)" } ?? "" }

  /// The query of a page. `offset` counts items from 0, and `size` is the number of requested items.
  func query(offset: Int, size: Int) -> String {
    ITunesQuery.text([
      ("term", term), ("country", country), ("media", media), ("entity", entity), ("attribute", attribute),
      ("lang", lang), ("limit", "\(size)"),
      // The parameter `offset` is undocumented. Some clients use it, and others report that the service ignores it.
      ("offset", offset > 0 ? "\(offset)" : nil),
    ])
  }
}

/// Texts for addresses and stream names, made of parameters.
enum ITunesQuery {
  /// Returns a query with encoded values. Parameters without a value are left out.
  static func text(_ parameters: [(name: String, value: String?)]) -> String {
    parameters.compactMap { name, value in value.map { "\(name)=\(encoded($0))" } }.joined(separator: "&")
  }

  /// Encodes a value as documented. Commas stay, because other clients do not encode commas.
  static func encoded(_ value: String) -> String {
    value.percentEncoded(keeping: "*, ").replacing("~", with: "%7E").replacing(" ", with: "+")
  }

  /// Returns a stream name that begins with `@`: a readable part of `label`, and a hash of all values.
  static func name(label: String, _ values: [String]) -> String {
    let words = label.lowercased().utf8.split { !$0.isLetter && !$0.isDigit }
    let slug = String(words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-").prefix(24))
    let hash = values.joined(separator: "\n").utf8.fnv1a
    return "@\(slug.isEmpty ? "" : "\(slug)-")\(String(hash, radix: 36))"
  }
}
