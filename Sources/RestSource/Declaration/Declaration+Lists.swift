import SyncCore

extension Declaration {
  /// The lists of a resource that has several. The placeholders of its path and parameters tell their requests apart.
  enum Lists: Sendable {
    /// One list for each value, in this order. The values are distinct and not empty, and `{0}` is the value's
    /// placeholder.
    case values(name: String, values: [String])
    /// One list for each row of the parent resource.
    case parent(Parent)
  }

  /// The resource whose rows have a list each, and what the child takes from it.
  struct Parent: Sendable {
    /// The name of the parent, a resource of the same source that precedes the child in `Declaration.resources`.
    let resource: String
    /// The members of the parent's document that requests contain, in the order of their first use. Distinct; the
    /// placeholder of the member with the index 1 is `{1}`.
    let members: [[String]]
    /// The paths of `include_from_parent` in the parent's document. A view shows these members; they are not stored
    /// with the items.
    let included: [[String]]
    /// Whether the parent's key columns are the first columns of the child's key (`identity: with_parent`).
    let identifies: Bool
    /// Which lists a run requests; `nil` if it requests each list.
    let refresh: Refresh?
    /// Whether the items of a list vanish with the row of its parent (`with_parent: true`).
    let vanishesWithParent: Bool

    /// The rule for lists that a run does not request, because the parent's row has not changed.
    struct Refresh: Sendable {
      /// The path of the parent's counter or column whose change is a change of the list. `nil` if each change of the
      /// parent's row is one (`refresh: changed`).
      let member: [String]?
      /// The age of a list from which it is requested without a change (`refresh_every`).
      let every: Duration
    }
  }
}

/// The placeholders of a resource with several lists, in the form that `Declaration.Resource.path` has: `{0}`, `{1}`
/// and so on. The number is an index of `Declaration.Parent.members`, or 0 for a value of
/// `Declaration.Lists.values`.
enum ListPlaceholder {
  static func text(_ index: Int) -> String { "{\(index)}" }

  /// Whether a text in braces is a placeholder. Declarations cannot contain such a text.
  static func isIndex(_ name: some StringProtocol) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy(\.isDigit)
  }

  /// Returns the text with values in place of its placeholders. Braces in values are not placeholders.
  static func filled(_ text: String, with values: [String]) -> String {
    var parts = text.split(separator: "{", omittingEmptySubsequences: false)[...]
    var filled = parts.popFirst().map(String.init) ?? ""
    for part in parts {
      guard let end = part.firstIndex(of: "}"), let index = Int(part[..<end]), values.indices.contains(index) else {
        filled += "{" + part
        continue
      }
      filled += values[index] + part[part.index(after: end)...]
    }
    return filled
  }

  /// Whether requests with these values are for a list of their own. An empty value, or a segment of the path that
  /// becomes empty, `.` or `..`, leads to another list or address.
  /// - Parameter path: The path with its placeholders.
  static func canFill(_ path: String, with values: [String]) -> Bool {
    let parts = path.split(separator: "/").filter { $0.contains("{") }.map { filled(String($0), with: values) }
    let segments = parts.flatMap { $0.split(separator: "/", omittingEmptySubsequences: false) }
    return values.allSatisfy { !$0.isEmpty } && !segments.contains { ["", ".", ".."].contains($0) }
  }
}

extension Declaration.Resource {
  /// Returns the path of the requests of one list. Each value is percent-encoded except its slashes, as in dlt. A value
  /// such as the full name of a repository can be several segments.
  /// - Parameter values: The values of `Parent.members`, or the value of `Lists.values`. `canBeFilled(with:)` must be
  ///   true.
  func path(filledWith values: [String]) -> String {
    let encoded = values.map { value in
      let segments = value.split(separator: "/", omittingEmptySubsequences: false)
      return segments.map { String($0).percentEncoded() }.joined(separator: "/")
    }
    return ListPlaceholder.filled(path, with: encoded)
  }

  /// Returns the parameters of the requests of one list, not yet encoded. A resource with dates must be `dated` before.
  func parameters(filledWith values: TextTemplate.Values) -> [Declaration.Parameter] {
    parameters.map { parameter in
      guard let template = parameter.template else { return parameter }
      var parameter = parameter
      parameter.value = .literal(template.text(filledWith: values))
      return parameter
    }
  }

  /// Whether the list with these values can be requested: each placeholder has a value, and `ListPlaceholder.canFill`
  /// is true.
  /// - Parameter values: As in `path(filledWith:)`. Values after them are ignored if they are not empty.
  func canBeFilled(with values: [String]) -> Bool {
    let count =
      switch lists {
      case .parent(let parent): parent.members.count
      case .values: 1
      case nil: 0
      }
    return values.count >= count && ListPlaceholder.canFill(path, with: values)
  }

  /// Returns the members that `identity: with_parent` puts into each item of a list, by name.
  /// - Parameter key: The values of the parent's key as canonical JSON, in the order of its columns.
  func parentMembers(_ key: [String]) -> [String: String] {
    Dictionary(zip(parentKey, key)) { first, _ in first }
  }
}
