extension Declaration {
  /// An element of `response_actions`: what the answers that fulfil all its conditions mean. An action has at least one
  /// condition.
  struct ResponseAction: Sendable, Equatable {
    /// The meaning of the answer.
    enum Action: String, Sendable, CaseIterable {
      /// The walk ends without an effect on the list.
      case ignore
      /// The stream fails.
      case fail
      /// The request is repeated, as after a status 503.
      case retry
      /// The list ends before this answer, which has no items.
      case end
    }

    /// A condition about a member of the body.
    struct Member: Sendable, Equatable {
      let path: [String]
      /// The text that the member must have. `nil` if the member only must be neither null, false nor empty.
      let text: String?
    }

    /// The position in the list of the declaration, from 0.
    let index: Int
    let status: Int?
    /// A text that the body contains.
    let content: String?
    let member: Member?
    let action: Action

    /// The element's place in the declaration, for messages.
    var place: String { "response_actions[\(index)]" }

    /// The declared texts with their keys.
    var texts: [(name: String, text: String)] {
      [("content", content), ("equals", member?.text)].compactMap { name, text in text.map { (name, $0) } }
    }

    /// The part of a walk's parameters. The pages of a walk depend on it.
    var parameter: String {
      let conditions = [
        status.map { "status \($0)" }, content.map { "content \($0)" },
        member.map { "member \($0.path) \($0.text ?? "")" },
      ]
      return (conditions.compactMap(\.self) + [action.rawValue]).joined(separator: " ")
    }
  }
}
