-- All that publishing makes rows of. The functions count too: what a changed one would write is due though the list is
-- the same.
sha256(convert_to(concat_ws(
  E'\n', $scope::text, $3::text[]::text, $5::boolean,
  (SELECT string_agg(encode(checksum, 'hex'), ' ' ORDER BY folder) FROM sync.function_set)), 'UTF8') || /* entries */)
