import HTTPTypes
import Hummingbird
import SyncCore

/// An error that a page shows. `message` says what happened, and `hint` what to do.
struct WebFault: Error {
  let status: HTTPResponse.Status
  let title: String
  let message: String
  var hint: String?
  /// Further headers of the response.
  var fields: HTTPFields = [:]

  static let unknownPage = WebFault(
    status: .notFound, title: "Not found", message: "There is no such page.", hint: "The navigation has all pages.")

  static func forbidden(_ message: String, hint: String) -> WebFault {
    WebFault(status: .forbidden, title: "Not allowed", message: message, hint: hint)
  }

  static func outside(_ base: String) -> WebFault {
    WebFault(
      status: .notFound, title: "Not found", message: "All pages are below \(base)/ (web.path).",
      hint: "A proxy must not remove this path.")
  }

  static let wrongHost = WebFault(
    status: .misdirectedRequest, title: "Unknown host", message: "This server does not answer to this host name.",
    hint: "On this machine, use 127.0.0.1 or localhost. Otherwise, add the name to web.hosts.")

  static let proxy = WebFault(
    status: .misdirectedRequest, title: "Proxy", message: "This host name has no pages for clients of a proxy.",
    hint: "Let the proxy keep the header Host, and add its name to web.hosts.")

  static let wrongMethod = WebFault(
    status: .methodNotAllowed, title: "Invalid request", message: "Pages answer to GET and HEAD, and forms to POST.",
    fields: [.allow: "GET, HEAD, POST"])

  static let slow = WebFault(
    status: .serviceUnavailable, title: "Try later", message: "The page took too long.",
    hint: "The database is busy, or does not answer.")

  static let foreignForm = forbidden(
    "The form was not sent by a page of this server.", hint: "Open the page again, and use its own button.")

  static let readOnly = forbidden(
    "Favorites cannot be changed at this address.",
    hint: "Use syncctl favorites, or set web.writable and web.password_file.")

  static let signedOut = forbidden(
    "Favorites can be changed after signing in.", hint: "Open the address that syncctl web --url prints.")

  static let notOperable = forbidden(
    "The mirror can be operated only by a browser that has signed in on its machine.",
    hint: "Open the address that syncctl web --url prints, or use the command.")

  static func lacksRole(_ remedy: String) -> WebFault {
    forbidden("The database's user cannot operate the mirror.", hint: "Its owner can allow it: \(remedy)")
  }

  static let wrongToken = forbidden(
    "The token in the address is not valid.", hint: "syncctl web --url prints the address of this server.")

  static func tooManyAttempts(_ wait: Duration) -> WebFault {
    let seconds = wait.components.seconds + 1
    return WebFault(
      status: .tooManyRequests, title: "Try later", message: "There were too many wrong attempts.",
      hint: "Try again in \(seconds) s.", fields: [.retryAfter: "\(seconds)"])
  }

  static let unauthorized = WebFault(
    status: .unauthorized, title: "Password required", message: "Changes at this address need a password.",
    hint: "It is in the file of web.password_file.",
    fields: [.wwwAuthenticate: #"Basic realm="syncctl", charset="UTF-8""#])

  static func badForm(_ message: String) -> WebFault {
    WebFault(status: .badRequest, title: "Invalid request", message: message, hint: "Open the page again.")
  }
}

extension WebFault {
  init(_ error: SyncError) {
    let (status, title): (HTTPResponse.Status, String) =
      switch error.code {
      case .missing: (.notFound, "Not found")
      case .usage: (.badRequest, "Invalid request")
      case .database: (.serviceUnavailable, "The database is not available")
      case .tryLater, .leaseHeld: (.serviceUnavailable, "Try later")
      // Not 403, because the text names the database and its user. `withoutDetails` removes only the texts of 5xx
      // errors.
      case .configuration, .permission: (.serviceUnavailable, "The mirror cannot be used")
      case .upstream, .guarded: (.internalServerError, "Error")
      }
    self.init(status: status, title: title, message: error.message, hint: error.hint)
  }

  init(_ error: any Error) {
    switch error {
    case let fault as WebFault: self = fault
    case let error as SyncError: self.init(error)
    case let error as any HTTPResponseError where error.status == .notFound: self = .unknownPage
    case let error as any HTTPResponseError:
      self.init(status: error.status, title: "Invalid request", message: error.status.reasonPhrase)
    default:
      self.init(
        status: .internalServerError, title: "Error", message: "The page could not be made: \(error)",
        hint: "This is a bug in syncctl; please report it.")
    }
  }

  /// The error for other machines. The text of a 5xx error can name the database and files.
  var withoutDetails: WebFault {
    guard status.kind == .serverError else { return self }
    return WebFault(status: status, title: title, message: "The server cannot make this page now.", hint: "Try later.")
  }

  var values: [String: WebValue?] {
    ["title": .text(title), "message": .text(message), "hint": .text(orNil: hint)]
  }
}
