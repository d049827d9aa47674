#!/bin/sh
# Runs once, when the first database server is initialized: prepares it for a standby, and for the proxy's checks.
set -e
psql --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --set password="$POSTGRES_PASSWORD" <<'SQL'
CREATE ROLE health LOGIN;
CREATE ROLE standby LOGIN REPLICATION PASSWORD :'password';
SELECT pg_create_physical_replication_slot('standby');
ALTER SYSTEM SET synchronous_standby_names = 'standby';
SQL
# The first matching line counts. Asking which server is the primary needs no password and no privilege.
{
  echo "host postgres health samenet trust"
  echo "host replication standby samenet scram-sha-256"
  cat "$PGDATA/pg_hba.conf"
} >"$PGDATA/pg_hba.conf.new"
mv "$PGDATA/pg_hba.conf.new" "$PGDATA/pg_hba.conf"
