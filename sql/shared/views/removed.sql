-- revision: 1
-- Views of reports that this version no longer has: movers has replaced risers and fallers.

DROP VIEW IF EXISTS report.risers, report.fallers;
