/// The languages in which generated titles and genres exist.
enum ITunesLanguage: Sendable, Equatable {
  case english
  case japanese
  case chinese

  /// Reads `ja_jp`; any other language in this form is English, and nil means an invalid one.
  init?(parameter text: String) {
    let parts = text.lowercased().split(whereSeparator: { $0 == "_" || $0 == "-" })
    guard (1...2).contains(parts.count),
      parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { (0x61...0x7A).contains($0) } })
    else { return nil }
    self = parts[0] == "ja" ? .japanese : parts[0] == "zh" ? .chinese : .english
  }
}

/// The store of one country: its names, its money, and the language it speaks.
struct ITunesStorefront: Sendable, Equatable {
  /// Two letters in lower case, as in parameters and paths.
  let country: String
  /// Three letters, as in records.
  let code: String
  let currency: ITunesCurrency
  let language: ITunesLanguage

  /// Nil where there is no store.
  init?(_ country: String) {
    guard let known = Self.all[country.lowercased()] else { return nil }
    self = known
  }

  private init(_ country: String, _ code: String, _ currency: String) {
    self.country = country
    self.code = code
    self.currency = ITunesCurrency(currency)
    language = country == "jp" ? .japanese : ["cn", "hk", "mo", "tw"].contains(country) ? .chinese : .english
  }

  /// Distinguishes stores that have their own numbers.
  var number: UInt64 { country.utf8.reduce(0) { $0 * 256 + UInt64($1) } }

  /// The US dollar is the default currency.
  private static let table = """
    ae ARE AED,ag ATG,ai AIA,al ALB,am ARM,ao AGO,ar ARG,at AUT EUR,au AUS AUD,az AZE,bb BRB,be BEL EUR,bf BFA,\
    bg BGR EUR,bh BHR,bj BEN,bm BMU,bn BRN,bo BOL,br BRA BRL,bs BHS,bt BTN,bw BWA,by BLR,bz BLZ,ca CAN CAD,cg COG,\
    ch CHE CHF,cl CHL CLP,cn CHN CNY,co COL COP,cr CRI,cv CPV,cy CYP EUR,cz CZE CZK,de DEU EUR,dk DNK DKK,dm DMA,\
    do DOM,dz DZA,ec ECU,ee EST EUR,eg EGY EGP,es ESP EUR,fi FIN EUR,fj FJI,fr FRA EUR,gb GBR GBP,gd GRD,gh GHA,\
    gm GMB,gr GRC EUR,gt GTM,gw GNB,gy GUY,hk HKG HKD,hn HND,hr HRV EUR,hu HUN HUF,id IDN IDR,ie IRL EUR,il ISR ILS,\
    in IND INR,is ISL,it ITA EUR,jm JAM,jo JOR,jp JPN JPY,ke KEN,kg KGZ,kh KHM,kn KNA,kr KOR KRW,kw KWT,ky CYM,\
    kz KAZ KZT,la LAO,lb LBN,lc LCA,lk LKA,lr LBR,lt LTU EUR,lu LUX EUR,lv LVA EUR,md MDA,mg MDG,mk MKD,ml MLI,\
    mn MNG,mo MAC MOP,mr MRT,ms MSR,mt MLT EUR,mu MUS,mw MWI,mx MEX MXN,my MYS MYR,mz MOZ,na NAM,ne NER,ng NGA NGN,\
    ni NIC,nl NLD EUR,no NOR NOK,np NPL,nz NZL NZD,om OMN,pa PAN,pe PER PEN,pg PNG,ph PHL PHP,pk PAK PKR,\
    pl POL PLN,pt PRT EUR,pw PLW,py PRY,qa QAT QAR,ro ROU RON,ru RUS RUB,sa SAU SAR,sb SLB,sc SYC,se SWE SEK,\
    sg SGP SGD,si SVN EUR,sk SVK EUR,sl SLE,sn SEN,sr SUR,st STP,sv SLV,sz SWZ,tc TCA,td TCD,th THA THB,tj TJK,\
    tm TKM,tn TUN,tr TUR TRY,tt TTO,tw TWN TWD,tz TZA TZS,ua UKR,ug UGA,us USA,uy URY,uz UZB,vc VCT,ve VEN,vg VGB,\
    vn VNM VND,ye YEM,za ZAF ZAR,zw ZWE
    """

  private static let all: [String: ITunesStorefront] = {
    let stores = table.split(separator: ",").compactMap { entry -> ITunesStorefront? in
      let parts = entry.split(separator: " ").map { String($0) }
      guard parts.count >= 2 else { return nil }
      return ITunesStorefront(parts[0], parts[1], parts.count > 2 ? parts[2] : "USD")
    }
    return Dictionary(stores.map { ($0.country, $0) }, uniquingKeysWith: { one, _ in one })
  }()
}

/// A currency: its code, and what a price in cents of the US dollar is in it.
struct ITunesCurrency: Sendable, Equatable {
  let code: String

  init(_ code: String) { self.code = code }

  /// The currencies whose prices are round numbers, by what a dollar costs in them.
  private static let round = [
    "CLP": 900, "COP": 4000, "HUF": 350, "IDR": 15_000, "INR": 80, "JPY": 150, "KRW": 1300, "KZT": 450, "NGN": 1500,
    "PKR": 280, "RUB": 75, "TWD": 30, "TZS": 2500, "VND": 25_000,
  ]

  private static let symbols = ["USD": "$", "JPY": "¥", "TWD": "NT$", "EUR": "€", "GBP": "£", "CNY": "¥"]

  /// A price as part of a record, always with two decimals.
  func text(cents: Int) -> String {
    guard let rate = Self.round[code], cents > 0 else { return Self.decimal(cents) }
    return Self.decimal(max(1, (cents * rate / 100 + 5) / 10) * 1000)
  }

  /// A price for display.
  func formatted(cents: Int, _ language: ITunesLanguage) -> String {
    guard cents > 0 else { return language == .english ? "Free" : language == .japanese ? "無料" : "免費" }
    let text = Self.round[code] == nil ? text(cents: cents) : String(text(cents: cents).dropLast(3))
    return (Self.symbols[code] ?? "\(code) ") + text
  }

  private static func decimal(_ hundredths: Int) -> String {
    let (whole, rest) = (abs(hundredths) / 100, abs(hundredths) % 100)
    return "\(hundredths < 0 ? "-" : "")\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }
}
