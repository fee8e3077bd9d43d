package import SyncCore

/// How the stored documents of iTunes are read: by the code that reads them as they come.
package struct ITunesMapping: DocumentMapping {
  package let name: String
  package let sql: StreamSQL
  private let isOfChart: Bool

  /// The items of a storefront, from any stream; the mirror knows which storefronts exist.
  package init(country: String) {
    name = "itunes \(country)"
    sql = StreamSQL(folder: "itunes", scope: [country, "refresh", country])
    isOfChart = false
  }

  /// The entries of a chart.
  ///
  /// - Parameter chart: country, media, feed, type; which there are, the mirror knows.
  package init(chart: [String]) {
    name = "itunes chart \(chart.joined(separator: " "))"
    sql = StreamSQL(folder: "itunes/charts", scope: chart)
    isOfChart = true
  }

  package var version: Int { Int(ITunes.mappingVersion) }

  package func read(_ document: [UInt8], key: Int64) -> Page.Entry {
    isOfChart ? ITunesChartReader().stored(document) : ITunesReader().stored(document)
  }
}
