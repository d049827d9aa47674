#!/bin/sh
# Copies the primary PRIMARY_HOST:PRIMARY_PORT, if this server has no data yet, and then runs the given command.
set -e
if [ ! -e "$PGDATA" ]; then
  rm -rf "$PGDATA.partial"
  PGPASSWORD=$POSTGRES_PASSWORD pg_basebackup --pgdata="$PGDATA.partial" --checkpoint=fast --write-recovery-conf \
    --slot=standby --dbname="host=$PRIMARY_HOST port=$PRIMARY_PORT user=standby application_name=standby"
  # Once promoted, it has no standby to wait for.
  echo "synchronous_standby_names = ''" >>"$PGDATA.partial/postgresql.auto.conf"
  mv "$PGDATA.partial" "$PGDATA"
fi
exec "$@"
