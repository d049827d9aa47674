#!/usr/bin/env bash
# A PostgreSQL 17 server with pgvector for tests, on a machine whose packages have none: Debian 13 is
# debootstrapped into DIR/root and the server runs there on a loopback port.
#
#   scripts/postgres.sh start DIR   prints the server's URL; a started server is reused
#   scripts/postgres.sh stop DIR    stops it; the folder stays, so that the next start takes seconds
#   scripts/postgres.sh root DIR    prints the folder with Debian's programs, for a cluster (e2e/cluster)
#
# FOOTNOTE_POSTGRES_PORT (54329) is the port. Anyone on this machine may connect without a password.
set -euo pipefail

RELEASE=trixie
PACKAGES=postgresql-17,postgresql-17-pgvector,pgbouncer,haproxy,valkey-server,caddy
PORT=${FOOTNOTE_POSTGRES_PORT:-54329}
BIN=/usr/lib/postgresql/17/bin
DATA=/var/lib/postgresql/footnote
LOG=/var/log/postgresql/footnote.log

. "$(dirname "$0")/debian.sh"

say() { echo "postgres: $*" >&2; }

fail() {
  say "$*"
  exit 1
}

start() {
  mkdir -p "$DIR"
  exec 9>"$DIR/lock"
  flock 9
  if server_pid >/dev/null; then
    PORT=$(sed -n 4p "$ROOT$DATA/postmaster.pid")
    say "already running on port $PORT"
  else
    [ -x "$ROOT$BIN/postgres" ] || bootstrap
    [ -s "$ROOT$DATA/PG_VERSION" ] || create_cluster
    start_server
    # New databases are copies of template1, so they have the extension from the start. Not done for a
    # server in use: nobody can create a database while another session is in template1.
    as_postgres "$BIN/psql" -h 127.0.0.1 -p "$PORT" -q -v ON_ERROR_STOP=1 -d template1 \
      -c "SET client_min_messages = warning" -c "CREATE EXTENSION IF NOT EXISTS vector" >&2
  fi
  echo "postgres://postgres@127.0.0.1:$PORT/postgres"
}

root() {
  mkdir -p "$DIR"
  exec 9>"$DIR/lock"
  flock 9
  local program
  for program in "$BIN/postgres" /usr/sbin/pgbouncer /usr/sbin/haproxy /usr/bin/valkey-server /usr/bin/caddy; do
    if [ ! -x "$ROOT$program" ]; then
      server_pid >/dev/null && fail "stop the server of $DIR first: $program is missing there."
      bootstrap
      break
    fi
  done
  echo "$ROOT"
}

stop() {
  if ! server_pid >/dev/null; then
    say "no server of $DIR is running"
    return
  fi
  as_postgres "$BIN/pg_ctl" stop -D "$DATA" -m fast -w -t 60 >&2
}

# The pid in the server's own pid file, if that process still runs inside our folder: after a crash
# the number may have gone to somebody else's process.
server_pid() {
  local pid
  pid=$(head -n 1 "$ROOT$DATA/postmaster.pid" 2>/dev/null) || return 1
  [ "$(readlink "/proc/$pid/root")" = "$ROOT" ] && echo "$pid"
}

bootstrap() {
  install_programs debootstrap
  local mirror partial="$DIR/root.partial"
  mirror=$(debian_mirror)
  # A run that was killed may have left /proc mounted inside.
  if mountpoint -q "$partial/proc"; then umount "$partial/proc"; fi
  rm -rf --one-file-system "$partial"
  say "debootstrapping Debian $RELEASE from $mirror into $ROOT"
  use_apt_proxy
  if ! debootstrap --variant=minbase --include="$PACKAGES" \
    "$RELEASE" "$partial" "$mirror" >"$DIR/debootstrap.log" 2>&1; then
    tail -n 20 "$DIR/debootstrap.log" "$partial/debootstrap/debootstrap.log" >&2 || true
    fail "debootstrap failed. Check that this machine reaches $mirror, or set TEST_DATABASE_URL to a PostgreSQL 15 or later with pgvector 0.7 or later."
  fi
  rm -rf --one-file-system "$partial"/var/cache/apt/archives/*.deb "$ROOT"
  mv "$partial" "$ROOT"
}

create_cluster() {
  say "creating the database cluster"
  as_postgres "$BIN/initdb" -D "$DATA" -U postgres --auth=trust --encoding=UTF8 --locale=C.UTF-8 >"$DIR/initdb.log" 2>&1 || {
    cat "$DIR/initdb.log" >&2
    fail "initdb failed. Remove $DIR and start again."
  }
  # No unix socket and no /dev/shm: the folder has neither mounts nor a name outside itself.
  cat >>"$ROOT$DATA/postgresql.conf" <<CONF
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
dynamic_shared_memory_type = mmap
max_connections = 200
shared_buffers = 2GB
fsync = on
CONF
  echo "host all all 127.0.0.1/32 trust" >"$ROOT$DATA/pg_hba.conf"
}

start_server() {
  # Left by a server that was killed; postgres itself would refuse a number that any process has now.
  rm -f "$ROOT$DATA/postmaster.pid"
  as_postgres "$BIN/pg_ctl" start -D "$DATA" -l "$LOG" -o "-p $PORT" -w -t 60 >&2 || {
    tail -n 20 "$ROOT$LOG" >&2
    fail "the server did not start on port $PORT. If the port is taken, set FOOTNOTE_POSTGRES_PORT to a free one."
  }
}

as_postgres() {
  local ids
  ids=$(awk -F: '$1 == "postgres" { print $3 ":" $4 }' "$ROOT/etc/passwd")
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/var/lib/postgresql PGUSER=postgres \
    chroot --userspec="$ids" --groups= "$ROOT" "$@" </dev/null 9>&-
}

main() {
  if [ $# -ne 2 ] || [[ ! $1 =~ ^(start|stop|root)$ ]]; then
    fail "usage: scripts/postgres.sh start|stop|root DIR"
  fi
  [ "$(id -u)" = 0 ] || fail "this needs root, for chroot. As another user, set TEST_DATABASE_URL instead."
  # The folder's real path, because it is compared with what the kernel reports of the server.
  DIR=$(realpath -m "$2")
  ROOT=$DIR/root
  "$1"
}

main "$@"
