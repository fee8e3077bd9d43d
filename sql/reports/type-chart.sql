-- title: Type chart
-- description: The damage multiplier of each attacking type against each type: 2, 1, 0.5 or 0. Each row is an
--   attacking type, each column a defending type.
-- source: pokeapi
-- parameter: generation integer = null (1..1000) | Chart of a generation (default: the latest)
-- column: attacking_type | Type of the attack.
-- column: normal | Against normal.
-- column: fighting | Against fighting.
-- column: flying | Against flying.
-- column: poison | Against poison.
-- column: ground | Against ground.
-- column: rock | Against rock.
-- column: bug | Against bug.
-- column: ghost | Against ghost.
-- column: steel | Against steel.
-- column: fire | Against fire.
-- column: water | Against water.
-- column: grass | Against grass.
-- column: electric | Against electric.
-- column: psychic | Against psychic.
-- column: ice | Against ice.
-- column: dragon | Against dragon.
-- column: dark | Against dark.
-- column: fairy | Against fairy.
SELECT attacking_type,
       trim_scale(max(multiplier) FILTER (WHERE defending_type = 'normal')) AS normal,
       trim_scale(max(multiplier) FILTER (WHERE defending_type = 'fighting')) AS fighting,
       trim_scale(max(multiplier) FILTER (WHERE defending_type = 'flying')) AS flying,
       trim_scale(max(multiplier) FILTER (WHERE defending_type = 'poison')) AS poison,
       trim_scale(max(multiplier) FILTER (WHERE defending_type = 'ground')) AS ground,
       trim_scale(max(multiplier) FILTER (WHERE defending_type = 'rock')) AS rock,
       trim_scale(max(multiplier) FILTER (WHERE defending_type = 'bug')) AS bug,
       trim_scale(max(multiplier) FILTER (WHERE defending_type = 'ghost')) AS ghost,
       trim_scale(max(multiplier) FILTER (WHERE defending_type = 'steel')) AS steel,
       trim_scale(max(multiplier) FILTER (WHERE defending_type = 'fire')) AS fire,
       trim_scale(max(multiplier) FILTER (WHERE defending_type = 'water')) AS water,
       trim_scale(max(multiplier) FILTER (WHERE defending_type = 'grass')) AS grass,
       trim_scale(max(multiplier) FILTER (WHERE defending_type = 'electric')) AS electric,
       trim_scale(max(multiplier) FILTER (WHERE defending_type = 'psychic')) AS psychic,
       trim_scale(max(multiplier) FILTER (WHERE defending_type = 'ice')) AS ice,
       trim_scale(max(multiplier) FILTER (WHERE defending_type = 'dragon')) AS dragon,
       trim_scale(max(multiplier) FILTER (WHERE defending_type = 'dark')) AS dark,
       trim_scale(max(multiplier) FILTER (WHERE defending_type = 'fairy')) AS fairy
FROM pokeapi.efficacy(:generation::integer)
GROUP BY attacking_type
ORDER BY attacking_type
