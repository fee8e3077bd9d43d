package import SyncCore

/// A search: what the service finds for some words in one storefront.
package struct ITunesSearch: Sendable, Hashable {
  /// As configured; for a search of the command line built from its parameters, with `@` before it.
  package let name: String
  package let term: String
  /// The storefront, in lower case.
  package let country: String
  package let media: String?
  package let entity: String?
  package let attribute: String?
  package let lang: String?
  /// The most results that are wanted; nil for as many as the service gives.
  package let limit: Int?

  /// - Parameter name: nil for a search that no configuration names.
  /// - Throws: `SyncError` `.usage` naming the parameter, with the nearest known word.
  package init(
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
    if let name {
      self.name = try ITunesRules.name(name)
    } else {
      self.name = ITunesQuery.name(
        label: "\(self.term) \(self.country)",
        [self.country, self.term, media ?? "", entity ?? "", attribute ?? "", self.lang ?? "", Self.text(limit)])
    }
  }

  /// What the mirror keeps of a search: term, media, entity, attribute, lang, limit; empty where not given.
  var values: [String] { [term, media ?? "", entity ?? "", attribute ?? "", lang ?? "", Self.text(limit)] }

  private static func text(_ limit: Int?) -> String { limit.map { "\($0)" } ?? "" }

  func query(offset: Int, size: Int) -> String {
    var query = ITunesQuery()
    query.add("term", term)
    query.add("country", country)
    query.add("media", media)
    query.add("entity", entity)
    query.add("attribute", attribute)
    query.add("lang", lang)
    query.add("limit", "\(size)")
    // Of the documentation nothing; some clients use it, others find it ignored.
    query.add("offset", offset > 0 ? "\(offset)" : nil)
    return query.text
  }
}
