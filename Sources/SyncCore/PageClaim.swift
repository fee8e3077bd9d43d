/// The claims of a page about its list: the numbers and links beside its items. The walk checks the claims, because
/// they can be false.
package struct PageClaim: Sendable, Equatable {
  /// The number of items in the whole list.
  package var total: Int?
  /// The number of the last page.
  package var lastPage: Int?
  /// Whether another page follows.
  package var hasNext: Bool?
  /// The next page's address or cursor, in a list whose pages name the next page (`WalkMethod.chain`).
  package var next: String?
  /// The value that `next` has in common with the page's last item: the members of its key, one a line, or its
  /// incremental cursor. `nil` if `next` has neither.
  package var nextKey: String?
  /// A warning about the page's place in the list, for the run's report. It is not stored with the page.
  package var remark: String?
  /// The declared paths of claims that the page lacks, each with its key, such as `total_path meta.total`. They are not
  /// stored, so they are empty for a page that was not read in this run.
  package var absentPaths: Set<String> = []

  /// Creates the claims of a page. `nil` means that the page does not claim this property.
  package init(
    total: Int? = nil, lastPage: Int? = nil, hasNext: Bool? = nil, next: String? = nil, nextKey: String? = nil
  ) {
    self.next = next
    self.nextKey = nextKey
    self.total = total
    self.lastPage = lastPage
    self.hasNext = hasNext
  }
}
