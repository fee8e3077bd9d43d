-- The keys of declared tables follow the values of the key's members, however a service spells them.

ALTER TABLE sync.declared_resource ADD COLUMN identity smallint NOT NULL DEFAULT 1;
COMMENT ON COLUMN sync.declared_resource.identity IS 'Version of the rule that computes syncctl_key: 1 hashed the JSON of the key''s members as the service spelled it; 2 hashes their canonical texts.';

-- Replaced by a function that also knows the types of the key's columns.
DROP FUNCTION IF EXISTS sync.expect_same_key(jsonb, jsonb);
