package import SyncCore

package struct ITunesMapping: DocumentMapping {
  package let name: String
  package let sql: StreamSQL
  private let isOfChart: Bool

  package init(country: String) {
    name = "itunes \(country)"
    sql = StreamSQL(folder: "itunes", scope: [country, "refresh", country])
    isOfChart = false
  }

  /// The parts of `chart` are country, media, feed and type.
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
