extension WorkerRights {
  /// What people have searched for.
  static let searchHistory = "itunes.lookup_history"
}
