-- What the program chooses from. Orders are ascending; what has no value comes last.

/* columns of the list: */
id, name, language, slug, is_form, to_json(types) AS types, to_json(type_names) AS type_names, hp, attack,
       defense, special_attack, special_defense, speed, total, generation_id AS generation, is_baby, is_legendary,
       is_mythical, owned
/* columns of the ranking: */
position, id, name, language, slug, is_form, to_json(types) AS types, to_json(type_names) AS type_names,
       /* value */ AS value

/* order by id: */ id
/* order by name: */ lower(name)
/* order by value: */ -coalesce(/* value */, -1)

/* type of id: */ bigint
/* type of name: */ text
/* type of value: */ integer

/* total: */ total
/* hp: */ hp
/* attack: */ attack
/* defense: */ defense
/* special-attack: */ special_attack
/* special-defense: */ special_defense
/* speed: */ speed
