/// A title with a picture, for the partial `shared/items`.
package struct WebItem: Sendable {
  package var title: String
  package var path: String?
  package var picture: String?
  /// The text before the title, such as a rank.
  package var position: String?
  /// The text after the title about a changed rank. `isClimb` decides its color.
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

  /// Returns one element of the list `items` for the partial `shared/items`. Empty details are omitted.
  ///
  /// The picture is omitted unless its address is HTTPS and `request.showsPictures` is true. Links follow `links(_:)`.
  package func value(_ request: WebRequest) -> WebValue {
    .object(of: [
      "itemTitle": .text(title), "itemPath": .text(orNil: path), "itemPicture": .picture(picture, request),
      "itemPlace": .text(orNil: position), "itemClimb": .text(orNil: change.flatMap { $0.isClimb ? $0.text : nil }),
      "itemFall": .text(orNil: change.flatMap { $0.isClimb ? nil : $0.text }),
      "itemDetails": .list(details.compactMap { $0.flatMap { $0.isEmpty ? nil : .text($0) } }),
      "itemLinks": .links(links), "itemHearts": .list(hearts.compactMap(\.self)),
    ])
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
    .list(
      facts.compactMap { label, text in
        text.flatMap { $0.isEmpty ? nil : .object(["fact": .text(label), "factText": .text($0)]) }
      })
  }

  /// Returns a field of the partial `shared/form`, for `WebPath.form`.
  /// - Parameters:
  ///   - name: The parameter that the form sends.
  ///   - value: The current value, or the chosen one of `options`.
  ///   - type: The HTML type of an input, such as `number`, with its HTML attribute `step`.
  ///   - options: The words of a choice; `nil` for an input.
  package static func field(
    _ name: String, label: String, value: String, type: String = "text", step: String? = nil,
    options: [String]? = nil, isRequired: Bool = false, help: String? = nil
  ) -> WebValue {
    .object(of: [
      "field": .text(name), "label": .text(label), "help": .text(orNil: help), "isText": .flag(options == nil),
      "options": options.map { words in
        .list(words.map { .object(["option": .text($0), "isChosen": .flag($0 == value)]) })
      },
      "type": .text(type), "step": .text(orNil: step), "value": .text(value), "isRequired": .flag(isRequired),
    ])
  }
}
