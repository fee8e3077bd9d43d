import Foundation
import UpstreamSimulator

extension ServiceShape {
  /// Shapes that were added after `draft` was written, by readers who had not seen its code. A new shape needs only a
  /// line here; `EndToEndDraftTests` drafts and runs each shape.
  static let further = [etherscan, fhir, socrata, socrataLimit, salesforce, clinicalTrials]

  /// Etherscan, "Get a list of 'Normal' Transactions By Address": `offset` is the size of a page. All values are texts.
  /// The page after the last item has the status 0, as an error has.
  private static let etherscan = ServiceShape(
    "etherscan", "Etherscan API documentation, Accounts, Get a list of 'Normal' Transactions By Address",
    "/api?module=account&action=txlist&address=0xc5102fE9359FD9a28f877a67E36B0F050d81a3CC&startblock=0"
      + "&endblock=99999999&page=1&offset=10&sort=asc&apikey=SHAPES0NEED0A0KEY0SHAPES0NEED0A0KE",
    environment: ["ETHERSCAN_APIKEY": "SHAPES0NEED0A0KEY0SHAPES0NEED0A0KE"]
  ) {
    guard $0["apikey"] == "SHAPES0NEED0A0KEY0SHAPES0NEED0A0KE" else {
      return .json(#"{"status": "0", "message": "NOTOK", "result": "Missing/Invalid API Key"}"#)
    }
    let number = max($0.number("page", 1), 1)
    let size = max($0.number("offset", 10_000), 1)
    guard number * size <= 10_000 else {
      return .json(
        """
        {"status": "0", "message": "Result window is too large, PageNo x Offset size must be less than or equal to \
        10000", "result": null}
        """)
    }
    let page = ShapePage(from: (number - 1) * size, size: size)
    guard !page.numbers.isEmpty else {
      return .json(#"{"status": "0", "message": "No transactions found", "result": []}"#)
    }
    let result = page.json {
      // Some blocks contain two of the transactions.
      let block = $0 / 4
      return """
        {"blockNumber": "14923\(block)", "timeStamp": "\(1_654_646_411 + 13 * block)", \
        "hash": "0xc52783ad354aecc04c670047754f062e3d6d04e8f5b24774472651f9c3a9\($0)", "nonce": "\($0 % 40)", \
        "blockHash": "0x7e1638fd2c6bdd05ffd83c1cf06c63e2f67d0f802084bef076d06bdcf8d2\($0 - $0 % 4)", \
        "transactionIndex": "\($0 % 7)", "from": "0x9aa99c23f67c81701c772b106b4f83f6e858dd2e", \
        "to": "0xc5102fe9359fd9a28f877a67e36b0f050d81a3cc", "value": "0", "gas": "6000000", \
        "gasPrice": "83924748773", "isError": "0", "txreceipt_status": "1", "input": "0x61016060", \
        "contractAddress": "", "cumulativeGasUsed": "\(10_450_178 + $0 % 60)", "gasUsed": "4457269", \
        "confirmations": "\(122_485 - block)", "methodId": "0x61016060", "functionName": ""}
        """
    }
    return .json(#"{"status": "1", "message": "OK", "result": \#(result)}"#)
  }

  /// HL7 FHIR, "Bundle, Example of a search response": the element of `link` whose `relation` is `next` has the next
  /// address.
  /// Its place differs between pages. The parameter `page` has a meaning only beside the `searchId` of the link.
  private static let fhir = ServiceShape(
    "fhir", "HL7 FHIR, Bundle, An example of a search response", "/base/MedicationRequest?patient=347&_count=40"
  ) { request in
    let search = request["searchId"]
    let size = search.flatMap { Int($0.suffix(4)) } ?? request.number("_count", 20)
    let number = search == nil ? 1 : request.number("page", 1)
    let page = ShapePage(from: (number - 1) * size, size: size)
    func address(_ number: Int) -> String {
      "\(request.root)/base/MedicationRequest?patient=347&searchId=\(shapeUUID(size))&page=\(number)"
    }
    var links = [#"{"relation": "self", "url": "\#(request.address([]))"}"#]
    if number > 1 { links.append(#"{"relation": "previous", "url": "\#(address(number - 1))"}"#) }
    if page.hasNext { links.append(#"{"relation": "next", "url": "\#(address(number + 1))"}"#) }
    let entries = page.json {
      """
      {"fullUrl": "\(request.root)/base/MedicationRequest/\($0)", "resource": {"resourceType": "MedicationRequest", \
      "id": "\($0)", "text": {"status": "generated", "div": "<div>Request</div>"}, "status": "unknown", \
      "intent": "order", "medication": {"reference": {"reference": "Medication/example"}}, \
      "subject": {"reference": "Patient/347"}}, "search": {"mode": "match", "score": 1}}
      """
    }
    return .json(
      """
      {"resourceType": "Bundle", "id": "bundle-example", "meta": {"lastUpdated": "2014-08-18T01:43:30Z"}, \
      "type": "searchset", "total": \(itemCount), "link": [\(links.joined(separator: ","))], "entry": \(entries)}
      """)
  }

  /// Socrata, "Paging through Data": `$limit` and `$offset`, and an array.
  private static let socrata = ServiceShape(
    "socrata", "Socrata developers, Paging through Data",
    "/resource/earthquakes.json?$limit=50&$offset=0&$order=earthquake_id", earthquakes)

  /// The same list, with an address that names only the size of a page. The answer does not say that the list goes on.
  private static let socrataLimit = ServiceShape(
    "socratalimit", "Socrata developers, Queries using SODA, $limit", "/resource/earthquakes.json?$limit=50",
    earthquakes)

  /// Socrata refuses unknown parameters, because a parameter without `$` is a filter by a column.
  private static func earthquakes(_ request: ShapeRequest) -> SimulatedAnswer {
    guard request.hasOnly("$limit", "$offset", "$order", "$select", "$where", "$q") else {
      return .json(
        #"{"code": "query.soql.no-such-column", "error": true, "message": "No such column"}"#, status: 400)
    }
    let page = ShapePage(from: request.number("$offset", 0), size: request.number("$limit", 1000))
    return .json(
      page.json {
        """
        {"source": "nn", "earthquake_id": "0038\($0)", "version": "9", "datetime": "2012-09-14T22:38:01.000", \
        "magnitude": "1.\($0 % 10)", "depth": "7.60", "number_of_stations": "\($0 % 30)", "region": "Nevada", \
        "location": {"latitude": "41.1085", "needs_recoding": false, "longitude": "-117.1135"}}
        """
      })
  }

  /// Salesforce, "Execute a SOQL Query": `nextRecordsUrl` is a relative address with another path, which takes no
  /// parameters. The last page has none, and `done` is true. A `+` in the query is a space, and `%2B` is not.
  private static let salesforce = ServiceShape(
    "salesforce", "Salesforce REST API developer guide, Execute a SOQL Query",
    "/services/data/v68.0/query?q=SELECT+Id,Name+FROM+Account"
  ) {
    let locator = "/services/data/v68.0/query/01gD0000002HU6KIAW-"
    let isFurther = $0.path.hasPrefix(locator)
    let query = $0.request.query.replacing("+", with: " ").removingPercentEncoding
    guard isFurther ? $0.hasOnly() : $0.path.hasSuffix("/query") && query == "q=SELECT Id,Name FROM Account" else {
      return .json(#"[{"message": "unexpected token", "errorCode": "MALFORMED_QUERY"}]"#, status: 400)
    }
    let page = ShapePage(from: isFurther ? Int($0.path.dropFirst(locator.count)) ?? 0 : 0, size: 100)
    let records = page.json {
      """
      {"attributes": {"type": "Account", "url": "/services/data/v68.0/sobjects/Account/001D000000I\($0)IAH"}, \
      "Id": "001D000000I\($0)IAH", "Name": "Test \($0)"}
      """
    }
    let next = page.hasNext ? ", \"nextRecordsUrl\": \"/salesforce\(locator)\(page.start + page.size)\"" : ""
    return .json(#"{"totalSize": \#(itemCount), "done": \#(!page.hasNext)\#(next), "records": \#(records)}"#)
  }

  /// ClinicalTrials.gov, "GET /studies": `nextPageToken`, the parameter `pageToken`, and a key three objects below the
  /// item. The service refuses other parameters.
  private static let clinicalTrials = ServiceShape(
    "clinicaltrials", "ClinicalTrials.gov API v2, GET /studies", "/api/v2/studies?query.cond=diabetes&pageSize=40"
  ) {
    guard $0.hasOnly("query.cond", "query.term", "filter.overallStatus", "sort", "countTotal", "pageSize", "pageToken"),
      let place = $0["pageToken"].map(shapePlace) ?? 0
    else {
      return SimulatedAnswer(
        status: 400, headers: [HeaderField("Content-Type", "text/plain")], body: Array("unknown parameter".utf8))
    }
    let page = ShapePage(from: place, size: $0.number("pageSize", 10))
    let studies = page.json {
      """
      {"protocolSection": {"identificationModule": {"nctId": "NCT0354\($0)", "orgStudyIdInfo": {"id": "D395\($0)"}, \
      "organization": {"fullName": "University", "class": "OTHER"}, "briefTitle": "Diabetes \($0)"}, \
      "statusModule": {"statusVerifiedDate": "2018-05", "overallStatus": "COMPLETED", \
      "startDateStruct": {"date": "2018-06-01"}}, "conditionsModule": {"conditions": ["Diabetes"]}}, \
      "derivedSection": {"miscInfoModule": {"versionHolder": "2024-05-15"}}, "hasResults": false}
      """
    }
    let next = page.hasNext ? ", \"nextPageToken\": \"\(shapeToken(place + page.size))\"" : ""
    return .json(#"{"studies": \#(studies)\#(next)}"#)
  }
}
