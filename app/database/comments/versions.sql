-- Which versions of the SQL a database has had: see `db/sql-version.ts`.
COMMENT ON COLUMN database_versions.hash IS 'Hash of all migrations and functions of a build.';
COMMENT ON COLUMN database_versions.functions IS 'The functions of that build: the hash of each file by name.';
