/// The names of what there is of a kind, in the order of its numbers.
enum PokeVocabulary {
  static let names: [PokeKind: String] = [
    .berry: """
    cheri chesto pecha rawst aspear leppa oran persim lum sitrus figy wiki mago aguav iapapa razz bluk nanab \
    wepear pinap pomeg kelpsy qualot hondew grepa tamato cornn magost rabuta nomel spelon pamtre watmel durin \
    belue occa passho wacan rindo yache chople kebia shuca coba payapa tanga charti kasib haban colbur babiri \
    chilan liechi ganlon salac petaya apicot lansat starf enigma micle custap jaboca rowap kee maranga hopo \
    roseli
    """,
    .berryFirmness: "very-soft soft hard very-hard super-hard",
    .berryFlavor: "spicy dry sweet bitter sour",
    .contestType: "cool beauty cute smart tough",
    .currency: """
    poke-dollar coin volcanic-ash poke-coupon berry-powder battle-point sphere castle-point watt athlete-point \
    dream-point dream-world-berry poke-mile festival-coin poke-bean home-point merit-point league-point \
    blueberry-point
    """,
    .eggGroup: """
    monster water1 bug flying ground fairy plant humanshape water3 mineral indeterminate water2 ditto dragon \
    no-eggs
    """,
    .encounterCondition: """
    swarm time radar slot2 radio season starter tv-option story-progress other item weekday first-party-pokemon \
    special-encounter trade coins friend-safari-slot great-marsh-daily-slot honey-tree-group headbutt-tree \
    backlot bug-catching-contest save-data alolan-diglett-found weather johto-safari-blocks max-den-rarity \
    max-den-rating berry-tree-type trash-can-type
    """,
    .encounterMethod: """
    walk old-rod good-rod super-rod surf rock-smash headbutt dark-grass grass-spots cave-spots bridge-spots \
    super-rod-spots surf-spots yellow-flowers purple-flowers red-flowers rough-terrain gift gift-egg static \
    pokeflute headbutt-low headbutt-normal headbutt-high squirt-bottle wailmer-pail seaweed roaming-grass \
    roaming-water devon-scope feebas-tile-fishing island-scan sos bubbling-spots berry-trees npc-trade \
    sos-from-bubbling-spot overworld overworld-water overworld-flying overworld-special overworld-flying-special \
    overworld-water-special horde colosseum-bonus-disc-us colosseum-bonus-disc-jpn pokemon-channel-pal \
    pokemon-ranger pokemon-battle-revolution new-york-pokecenter-wish-eggs snag snag-rematch pokespot \
    hidden-grotto honey-tree overworld-dirt wanderer wanderer-water chase-water dynamax-adventure max-raid \
    trash-can-ambush rustling-bush-ambush ceiling-ambush ground-ambush sky-ambush
    """,
    .evolutionTrigger: """
    level-up trade use-item shed spin tower-of-darkness tower-of-waters three-critical-hits take-damage other \
    agile-style-move strong-style-move recoil-damage use-move three-defeated-bisharp gimmighoul-coins
    """,
    .gender: "female male genderless",
    .generation: """
    generation-i generation-ii generation-iii generation-iv generation-v generation-vi generation-vii \
    generation-viii generation-ix
    """,
    .growthRate: "slow medium fast medium-slow slow-then-very-fast fast-then-very-slow",
    .itemAttribute: """
    countable consumable usable-overworld usable-in-battle holdable holdable-passive holdable-active underground
    """,
    .itemCategory: """
    stat-boosts effort-drop medicine other in-a-pinch picky-healing type-protection baking-only collectibles \
    evolution spelunking held-items choice effort-training bad-held-items training plates species-specific \
    type-enhancement event-items gameplay plot-advancement unused loot all-mail vitamins healing pp-recovery \
    revival status-cures mulch special-balls standard-balls dex-completion scarves all-machines flutes \
    apricorn-balls apricorn-box data-cards jewels miracle-shooter mega-stones memories z-crystals \
    species-candies catching-bonus dynamax-crystals nature-mints curry-ingredients tera-shard \
    sandwich-ingredients tm-materials picnic
    """,
    .itemFlingEffect: "badly-poison burn berry-effect herb-effect paralyze poison flinch",
    .itemPocket: "misc medicine pokeballs machines berries mail battle key",
    .language: "ja-hrkt ja-roma ko zh-hant fr de es it en cs ja zh-hans pt-br es-419",
    .moveAilment: """
    unknown none paralysis sleep freeze burn poison confusion infatuation trap nightmare torment disable yawn \
    heal-block no-type-immunity leech-seed embargo perish-song ingrain silence tar-shot
    """,
    .moveBattleStyle: "attack defense support",
    .moveCategory: """
    damage ailment net-good-stats heal damage-ailment swagger damage-lower damage-raise damage-heal ohko \
    whole-field-effect field-effect force-switch unique
    """,
    .moveDamageClass: "status physical special",
    .moveLearnMethod: """
    level-up egg tutor machine stadium-surfing-pikachu light-ball-egg colosseum-purification xd-shadow \
    xd-purification form-change zygarde-cube train
    """,
    .moveTarget: """
    specific-move selected-pokemon-me-first ally users-field user-or-ally opponents-field user random-opponent \
    all-other-pokemon selected-pokemon all-opponents entire-field user-and-allies all-pokemon all-allies \
    fainting-pokemon
    """,
    .nature: """
    hardy bold modest calm timid lonely docile mild gentle hasty adamant impish bashful careful rash jolly \
    naughty lax quirky naive brave relaxed quiet sassy serious
    """,
    .palParkArea: "forest field mountain pond sea",
    .pokeathlonStat: "speed power skill stamina jump",
    .pokedex: """
    national kanto original-johto hoenn original-sinnoh extended-sinnoh updated-johto original-unova \
    updated-unova conquest-gallery kalos-central kalos-coastal kalos-mountain updated-hoenn original-alola \
    original-melemele original-akala original-ulaula original-poni updated-alola updated-melemele updated-akala \
    updated-ulaula updated-poni letsgo-kanto galar isle-of-armor crown-tundra hisui paldea kitakami blueberry \
    lumiose-city hyperspace champions
    """,
    .pokemonColor: "black blue brown gray green pink purple red white yellow",
    .pokemonHabitat: "cave forest grassland mountain rare rough-terrain sea urban waters-edge",
    .pokemonShape: """
    ball squiggle fish arms blob upright legs quadruped wings tentacles heads humanoid bug-wings armor
    """,
    .region: "kanto johto hoenn sinnoh unova kalos alola galar hisui paldea orre",
    .stat: "hp attack defense special-attack special-defense speed accuracy evasion special",
    .type: """
    normal fighting flying poison ground rock bug ghost steel fire water grass electric psychic ice dragon dark \
    fairy stellar unknown shadow
    """,
    .version: """
    red blue yellow gold silver crystal ruby sapphire emerald firered leafgreen diamond pearl platinum heartgold \
    soulsilver black white colosseum xd black-2 white-2 x y omega-ruby alpha-sapphire sun moon ultra-sun \
    ultra-moon lets-go-pikachu lets-go-eevee sword shield the-isle-of-armor-sword the-crown-tundra-sword \
    brilliant-diamond shining-pearl legends-arceus scarlet violet the-teal-mask-scarlet the-indigo-disk-scarlet \
    red-japan green-japan blue-japan legends-za mega-dimension champions the-isle-of-armor-shield \
    the-crown-tundra-shield the-teal-mask-violet the-indigo-disk-violet
    """,
    .versionGroup: """
    red-blue yellow gold-silver crystal ruby-sapphire emerald firered-leafgreen diamond-pearl platinum \
    heartgold-soulsilver black-white colosseum xd black-2-white-2 x-y omega-ruby-alpha-sapphire sun-moon \
    ultra-sun-ultra-moon lets-go-pikachu-lets-go-eevee sword-shield the-isle-of-armor the-crown-tundra \
    brilliant-diamond-shining-pearl legends-arceus scarlet-violet the-teal-mask the-indigo-disk red-green-japan \
    blue-japan legends-za mega-dimension champions
    """,
  ]
}
