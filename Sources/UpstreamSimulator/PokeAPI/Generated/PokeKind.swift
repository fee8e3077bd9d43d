/// The endpoints.
enum PokeKind: String, Sendable, CaseIterable {
  case ability, berry, characteristic, currency, gender, generation, item, language, location, machine, move
  case nature, pokedex, pokemon, region, stat, type, version
  case berryFirmness = "berry-firmness"
  case berryFlavor = "berry-flavor"
  case contestEffect = "contest-effect"
  case contestType = "contest-type"
  case eggGroup = "egg-group"
  case encounterCondition = "encounter-condition"
  case encounterConditionValue = "encounter-condition-value"
  case encounterMethod = "encounter-method"
  case evolutionChain = "evolution-chain"
  case evolutionTrigger = "evolution-trigger"
  case growthRate = "growth-rate"
  case itemAttribute = "item-attribute"
  case itemCategory = "item-category"
  case itemFlingEffect = "item-fling-effect"
  case itemPocket = "item-pocket"
  case locationArea = "location-area"
  case moveAilment = "move-ailment"
  case moveBattleStyle = "move-battle-style"
  case moveCategory = "move-category"
  case moveDamageClass = "move-damage-class"
  case moveLearnMethod = "move-learn-method"
  case moveTarget = "move-target"
  case palParkArea = "pal-park-area"
  case pokeathlonStat = "pokeathlon-stat"
  case pokemonColor = "pokemon-color"
  case pokemonForm = "pokemon-form"
  case pokemonHabitat = "pokemon-habitat"
  case pokemonShape = "pokemon-shape"
  case pokemonSpecies = "pokemon-species"
  case superContestEffect = "super-contest-effect"
  case versionGroup = "version-group"

  /// Whether its documents, and the rows of its list, have no names.
  var isUnnamed: Bool {
    [.characteristic, .contestEffect, .evolutionChain, .machine, .superContestEffect].contains(self)
  }
}
