/// A line with bars between the columns.
struct TableRow {
  private let columns: [String]

  init(_ line: Substring) {
    columns = line.split(separator: "|", omittingEmptySubsequences: false).map { String($0) }
  }

  subscript(column: Int) -> String { columns[column] }
  func words(_ column: Int) -> [String] { columns[column].split(separator: " ").map { String($0) } }
  func numbers(_ column: Int) -> [Int] { words(column).compactMap { Int($0) } }
  func number(_ column: Int) -> Int { Int(columns[column]) ?? 0 }
}
