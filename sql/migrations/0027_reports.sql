-- The reports of the program as views, for tools that read SQL. The files of sql/reports make them.
CREATE SCHEMA report;
COMMENT ON SCHEMA report IS 'The reports of syncctl as views, each with its parameters at their defaults; syncctl report lists them.';
