#!/usr/bin/env bash
# Builds the container image from the Dockerfile with buildah:
#
#   deploy/image/build.sh DIR [NAME]   as NAME (localhost/footnote); DIR is for logs and for what later builds reuse
#
# The Dockerfile's two base images are pulled where a registry answers. Elsewhere, as root, they are made of Debian's
# packages, the Node of this repository's node_modules, and this machine's npm. NODE_IMAGE and RUNTIME_IMAGE, when
# set, name others. npm's settings and the certificates of this machine are mounted for the build, and not in the image.
# Exits with 75 where the base images can be had neither way, or nothing can be run in them.
set -euo pipefail

RELEASE=bookworm
has_bases=""
export STORAGE_DRIVER=${STORAGE_DRIVER:-vfs}
export BUILDAH_ISOLATION=${BUILDAH_ISOLATION:-chroot}

here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
. "$project/scripts/debian.sh"

say() { echo "image: $*" >&2; }

fail() {
  say "$*"
  exit 1
}

main() {
  if [ $# -lt 1 ] || [ $# -gt 2 ]; then fail "usage: deploy/image/build.sh DIR [NAME]"; fi
  mkdir -p "$1"
  DIR=$(realpath "$1")
  NAME=${2:-localhost/footnote}
  install_programs buildah
  trap 'status=$?; rm -f "$DIR/npmrc"; if [ "$status" != 0 ] && [ -z "$has_bases" ]; then exit 75; fi' EXIT
  if [ -z "${NODE_IMAGE:-}" ] || [ -z "${RUNTIME_IMAGE:-}" ]; then choose_bases; fi
  has_bases=yes
  say "building $NAME on $RUNTIME_IMAGE"
  # shellcheck disable=SC2046
  buildah build --format docker --tag "$NAME" --build-arg NODE_IMAGE="$NODE_IMAGE" --build-arg RUNTIME_IMAGE="$RUNTIME_IMAGE" \
    --ulimit nofile="$(ulimit -Hn):$(ulimit -Hn)" $(mounts) "$project" >"$DIR/build.log" 2>&1 || {
    tail -n 40 "$DIR/build.log" >&2
    fail "the build failed: see $DIR/build.log"
  }
}

choose_bases() {
  NODE_IMAGE=$(base_of NODE_IMAGE)
  RUNTIME_IMAGE=$(base_of RUNTIME_IMAGE)
  local image
  for image in "$NODE_IMAGE" "$RUNTIME_IMAGE"; do
    timeout 120 buildah pull --retry 0 "docker.io/library/$image" >"$DIR/pull.log" 2>&1 && continue
    say "no registry has $image: making base images of Debian's packages"
    make_bases
    return
  done
}

# The default of an argument of the Dockerfile.
base_of() {
  sed -n "s/^ARG $1=//p" "$project/Dockerfile"
}

make_bases() {
  RUNTIME_IMAGE=localhost/footnote-debian
  NODE_IMAGE=localhost/footnote-node
  [ "$(id -u)" = 0 ] || fail "making base images needs root, for debootstrap."
  local node npm container
  node=$(realpath "$project/node_modules/.bin/node") || fail "node_modules/.bin/node is missing: run npm ci."
  npm=$(dirname "$(dirname "$(realpath "$(command -v npm)")")")
  if ! buildah inspect --type image "$RUNTIME_IMAGE" >/dev/null 2>&1; then
    bootstrap
    container=$(buildah from scratch)
    buildah add -q "$container" "$DIR/debian.tar" / >/dev/null
    buildah commit -q --rm "$container" "$RUNTIME_IMAGE" >/dev/null
  fi
  container=$(buildah from "$RUNTIME_IMAGE")
  buildah copy -q "$container" "$node" /usr/local/bin/node >/dev/null
  buildah copy -q "$container" "$npm" /usr/local/lib/node_modules/npm >/dev/null
  echo "deb $(debian_mirror) $RELEASE main" >"$DIR/sources.list"
  buildah copy -q "$container" "$DIR/sources.list" /etc/apt/sources.list >/dev/null
  buildah run "$container" -- ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
  buildah run "$container" -- ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx
  buildah commit -q --rm "$container" "$NODE_IMAGE" >/dev/null
}

# As the official slim image: Debian's essential packages and apt, without documentation and translations.
bootstrap() {
  local mirror root="$DIR/debian"
  install_programs debootstrap
  mirror=$(debian_mirror)
  use_apt_proxy
  rm -rf --one-file-system "$root"
  say "debootstrapping Debian $RELEASE from $mirror"
  debootstrap --variant=minbase "$RELEASE" "$root" "$mirror" >"$DIR/debootstrap.log" 2>&1 || {
    tail -n 20 "$DIR/debootstrap.log" >&2
    fail "debootstrap failed. Check that this machine reaches $mirror."
  }
  # This machine's mirror is for the build alone.
  echo "deb http://deb.debian.org/debian $RELEASE main" >"$root/etc/apt/sources.list"
  tar --create --file "$DIR/debian.tar" --directory "$root" --one-file-system \
    --exclude="./usr/share/doc/*" --exclude="./usr/share/info/*" --exclude="./usr/share/locale/*" \
    --exclude="./usr/share/man/*" --exclude="./var/cache/apt/*" --exclude="./var/lib/apt/lists/*" \
    --exclude="./var/log/*" --exclude="./proc/*" --exclude="./sys/*" --exclude="./etc/resolv.conf" .
  rm -rf --one-file-system "$root"
}

# npm's settings of this user, and the certificates that this machine trusts.
mounts() {
  local settings="$DIR/npmrc" certificates=/etc/ssl/certs/ca-certificates.crt
  (umask 077 && cat "$(npm config get userconfig 2>/dev/null)" >"$settings" 2>/dev/null) || true
  if [ -f "$certificates" ]; then
    printf '\ncafile=%s\n' "$certificates" >>"$settings"
    echo "--volume /etc/ssl/certs:/etc/ssl/certs:ro"
  fi
  echo "--volume $settings:/root/.npmrc:ro"
}

main "$@"
