struct ITunesStorefront: Sendable {
  let country: String
  let code: String
  let currency: String
  private let rate: Int

  init?(_ country: String) {
    let parts = Self.all.split(separator: ",").map { $0.split(separator: " ").map { String($0) } }
      .first { $0[0] == country.lowercased() }
    guard let parts else { return nil }
    self.country = parts[0]
    code = parts[1]
    currency = parts[2]
    rate = parts.count > 3 ? Int(parts[3]) ?? 1 : 0
  }

  /// Code, country and currency. For a store that rounds prices to tens, also the price of a dollar.
  private static let all = """
    us USA USD,gb GBR GBP,ie IRL EUR,de DEU EUR,at AUT EUR,fr FRA EUR,es ESP EUR,it ITA EUR,nl NLD EUR,be BEL EUR,\
    ch CHE CHF,se SWE SEK,no NOR NOK,dk DNK DKK,fi FIN EUR,pl POL PLN,pt PRT EUR,cz CZE CZK,tr TUR TRY,ca CAN CAD,\
    mx MEX MXN,br BRA BRL,au AUS AUD,nz NZL NZD,jp JPN JPY 150,kr KOR KRW 1300,tw TWN TWD 30,hk HKG HKD,cn CHN CNY,\
    sg SGP SGD,in IND INR 80,id IDN IDR 15000,th THA THB,vn VNM VND 25000,za ZAF ZAR
    """

  func price(_ dollars: String) -> String? {
    guard dollars.contains("."), let cents = Int(dollars.replacing(".", with: "")) else { return nil }
    return rate > 0 ? "\((cents * rate / 100 + 5) / 10 * 10).00" : dollars
  }
}
