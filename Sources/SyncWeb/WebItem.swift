/// A title with a picture, for the partial `shared/items`.
package struct WebItem: Sendable {
  package var title: String
  /// The language of the title as in BCP 47; `nil` for the language of its letters.
  package var language: String?
  /// A second title, with its language, such as the Japanese one.
  package var subtitle: (text: String, language: String)?
  package var path: String?
  package var picture: String?
  /// The text in the corner of the picture, such as a rank.
  package var position: String?
  /// The number on the picture that is compared first, such as a score, with the words that explain it.
  package var badge: (text: String, label: String)?
  /// The classes and names of types, from `WebType`.
  package var types: [WebType] = []
  /// The id of the element. A form that changes the item returns to it.
  package var anchor: String?
  /// The text after the position about a changed rank. `isClimb` decides its color.
  package var change: (text: String, isClimb: Bool)?
  /// The paragraphs below the title, in order.
  package var details: [String?] = []
  package var links: [(text: String, address: String?)] = []
  /// The forms from `WebRequest.heart` or `WebRequest.hearts`.
  package var hearts: [WebValue?] = []

  /// `path` is the path of the item's page, without `web.path`. `picture` is an address, of which only HTTPS is shown.
  package init(_ title: String, path: String? = nil, picture: String? = nil) {
    self.title = title
    self.path = path
    self.picture = picture
  }

  /// The first letter or digit of the title, for the box of a missing picture.
  private var initial: String? {
    title.unicodeScalars.first { $0.properties.isAlphabetic || $0.properties.numericType != nil }.map { String($0) }
  }

  private static func detail(_ text: String) -> WebValue? {
    guard !text.isEmpty else { return nil }
    return .object(of: ["detail": .text(text), "detailLanguage": .text(orNil: WebLanguage.ofScript(text))])
  }

  /// Returns one element of the list `items` for the partial `shared/items`. Empty details are omitted.
  ///
  /// The picture is omitted unless its address is HTTPS and `request.showsPictures` is true. Links follow `links(_:)`.
  package func value(_ request: WebRequest) -> WebValue {
    .object(of: [
      "itemTitle": .text(title), "itemLanguage": .text(orNil: language ?? WebLanguage.ofScript(title)),
      "itemSubtitle": .text(orNil: subtitle?.text),
      "itemSubtitleLanguage": .text(orNil: subtitle?.language), "itemInitial": .text(orNil: initial),
      "itemBadge": .text(orNil: badge?.text), "itemBadgeLabel": .text(orNil: badge?.label),
      "itemAnchor": .text(orNil: anchor),
      "itemTypes": types.isEmpty ? nil : .object(["types": .list(types.map(\.value))]), "itemPath": .text(orNil: path),
      "itemPicture": .picture(picture, request),
      "itemPlace": .text(orNil: position), "itemClimb": .text(orNil: change.flatMap { $0.isClimb ? $0.text : nil }),
      "itemFall": .text(orNil: change.flatMap { $0.isClimb ? nil : $0.text }),
      "itemDetails": .list(details.compactMap { $0.flatMap(Self.detail) }),
      "itemLinks": .links(links), "itemHearts": .list(hearts.compactMap(\.self)),
    ])
  }
}

/// A coloured label, such as a type of a Pokémon.
package struct WebType: Sendable {
  package let name: String
  /// The class of the stylesheet that has the colour, such as `fire`. Other classes have the colour of plain labels.
  package let colour: String

  /// - Parameter colour: A word of the letters a to z. Other characters are removed, because the word is a class.
  package init(_ name: String, colour: String) {
    self.name = name
    self.colour = String(colour.lowercased().filter { ("a"..."z").contains($0) })
  }

  /// The class of the stylesheet, such as `type-fire`.
  package var className: String { "type-\(colour)" }

  package var value: WebValue { .object(["typeName": .text(name), "typeClass": .text(className)]) }
}

/// The value of a fact: a text, with the path of a page if it is a link.
package struct WebFact: Sendable {
  package let text: String
  package let path: String?

  /// `path` begins with `/` and does not contain `web.path`; `nil` for a text without a link.
  package init(_ text: String, to path: String? = nil) {
    self.text = text
    self.path = path
  }
}

extension WebValue {
  /// Returns a list of links, each with `linkText` and `linkAddress`. Links whose address is not HTTP(S) are omitted.
  package static func links(_ links: [(text: String, address: String?)]) -> WebValue {
    .list(
      links.compactMap { text, address in
        link(address).map { .object(["linkText": .text(text), "linkAddress": $0]) }
      })
  }

  /// Returns the list `facts` for the partial `shared/facts`. Facts without a text, or with an empty text, are omitted.
  package static func facts(_ facts: [(label: String, text: String?)]) -> WebValue {
    self.facts(facts.map { (label: $0.label, values: $0.text.map { [WebFact($0)] } ?? []) })
  }

  /// Returns the list `facts` for the partial `shared/facts`, whose values can be links. Facts without a text, or with
  /// empty texts, are omitted.
  package static func facts(_ facts: [(label: String, values: [WebFact])]) -> WebValue {
    .list(
      facts.compactMap { label, values in
        let shown = values.filter { !$0.text.isEmpty }
        guard !shown.isEmpty else { return nil }
        let links = shown.enumerated().map { index, value -> WebValue in
          .object(of: [
            "factText": .text(value.text), "factPath": .text(orNil: value.path),
            "separator": .flag(index < shown.count - 1),
          ])
        }
        return .object(["fact": .text(label), "factLinks": .list(links)])
      })
  }

  /// Returns the list `numbers` for the partial `shared/numbers`: the few large numbers of an entry. Numbers without a
  /// text are omitted.
  package static func numbers(_ numbers: [(label: String, text: String?)]) -> WebValue {
    .list(
      numbers.compactMap { label, text in
        text.map { .object(["numberLabel": .text(label), "number": .text($0)]) }
      })
  }

  /// Returns a field of the partial `shared/form`, for `WebPath.form`.
  /// - Parameters:
  ///   - name: The parameter that the form sends.
  ///   - value: The current value, or the chosen one of `options`.
  ///   - type: The HTML type of an input, such as `number`, with its HTML attribute `step`.
  ///   - options: The words of a choice; `nil` for an input.
  ///   - names: The shown texts of options, by option, such as `Action (93)`. Other options are shown as they are.
  package static func field(
    _ name: String, label: String, value: String, type: String = "text", step: String? = nil,
    options: [String]? = nil, names: [String: String] = [:], isRequired: Bool = false, help: String? = nil
  ) -> WebValue {
    .object(of: [
      "field": .text(name), "label": .text(label), "help": .text(orNil: help), "isText": .flag(options == nil),
      "options": options.map { words in
        .list(
          words.map { word in
            .object(["option": .text(word), "optionText": .text(names[word] ?? word), "isChosen": .flag(word == value)])
          })
      },
      "type": .text(type), "step": .text(orNil: step), "value": .text(value), "isRequired": .flag(isRequired),
    ])
  }
}
