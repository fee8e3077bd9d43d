/// An error code of PostgreSQL: five digits or upper-case letters (PostgreSQL's manual, appendix A). The constants have
/// the names of PostgreSQL's `errcodes.txt`.
package struct SQLState: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// Returns `nil` unless the text is five digits or upper-case letters of ASCII.
  package init?(_ code: some StringProtocol) {
    guard code.utf8.count == 5, code.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) })
    else { return nil }
    description = String(code)
  }

  private init(literal code: String) { description = code }

  /// The first two characters, which name the class of the error, such as `08` for connection failures.
  package var classCode: String { String(description.prefix(2)) }
}

extension SQLState {
  /// A message that the server cannot understand, so this program is wrong and not the connection.
  package static let protocolViolation = SQLState(literal: "08P01")
  package static let featureNotSupported = SQLState(literal: "0A000")
  package static let divisionByZero = SQLState(literal: "22012")
  package static let invalidParameterValue = SQLState(literal: "22023")
  package static let uniqueViolation = SQLState(literal: "23505")
  package static let readOnlySqlTransaction = SQLState(literal: "25006")
  package static let invalidAuthorizationSpecification = SQLState(literal: "28000")
  package static let invalidPassword = SQLState(literal: "28P01")
  package static let dependentObjectsStillExist = SQLState(literal: "2BP01")
  package static let invalidCatalogName = SQLState(literal: "3D000")
  package static let invalidSchemaName = SQLState(literal: "3F000")
  package static let tRSerializationFailure = SQLState(literal: "40001")
  package static let tRDeadlockDetected = SQLState(literal: "40P01")
  package static let insufficientPrivilege = SQLState(literal: "42501")
  package static let syntaxError = SQLState(literal: "42601")
  package static let duplicateColumn = SQLState(literal: "42701")
  package static let duplicateObject = SQLState(literal: "42710")
  package static let duplicateFunction = SQLState(literal: "42723")
  package static let ambiguousFunction = SQLState(literal: "42725")
  package static let wrongObjectType = SQLState(literal: "42809")
  package static let invalidFunctionDefinition = SQLState(literal: "42P13")
  package static let invalidTableDefinition = SQLState(literal: "42P16")
  package static let duplicateSchema = SQLState(literal: "42P06")
  package static let duplicateTable = SQLState(literal: "42P07")
  package static let diskFull = SQLState(literal: "53100")
  package static let tooManyConnections = SQLState(literal: "53300")
  package static let tooManyColumns = SQLState(literal: "54011")
  package static let lockNotAvailable = SQLState(literal: "55P03")
  package static let queryCanceled = SQLState(literal: "57014")
  package static let adminShutdown = SQLState(literal: "57P01")
  package static let crashShutdown = SQLState(literal: "57P02")
  package static let cannotConnectNow = SQLState(literal: "57P03")
  package static let ioError = SQLState(literal: "58030")
  package static let internalError = SQLState(literal: "XX000")
}
