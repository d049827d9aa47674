# Debian's packages, for scripts that debootstrap. They define `say` and `fail`, and DIR, a folder for logs.
shopt -s extglob

# install_programs NAME...: those that are missing, from packages of the same names.
install_programs() {
  local package
  for package in "$@"; do
    command -v "$package" >/dev/null && continue
    command -v apt-get >/dev/null || fail "$package is missing."
    say "installing $package"
    { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
      "$package" debian-archive-keyring; } >"$DIR/apt.log" 2>&1 || {
      tail -n 20 "$DIR/apt.log" >&2
      fail "apt could not install $package. Check this machine's apt sources."
    }
  done
}

# The mirror that this machine's own apt sources name: one that works from here.
debian_mirror() {
  local mirror
  mirror=$(apt-get indextargets --format '$(LABEL)|$(COMPONENT)|$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    awk -F'|' '$1 == "Debian" && $2 == "main" { print $3; exit }' || true)
  case $mirror in
    mirror+file:/*)
      local list=${mirror#mirror+file:}
      list=/${list##+(/)}
      mirror=$(awk '!/^#/ && NF { print $1; exit }' "${list%/}" || true)
      ;;
  esac
  case $mirror in
    http://* | https://*) echo "${mirror%/}" ;;
    *) echo "http://deb.debian.org/debian" ;;
  esac
}

# debootstrap reads the environment, not apt's configuration.
use_apt_proxy() {
  local APT_HTTP="" APT_HTTPS=""
  eval "$(apt-config shell APT_HTTP Acquire::http::Proxy APT_HTTPS Acquire::https::Proxy 2>/dev/null)"
  if [ -n "$APT_HTTP" ] && [ "$APT_HTTP" != DIRECT ]; then export http_proxy=${http_proxy:-$APT_HTTP}; fi
  if [ -n "$APT_HTTPS" ] && [ "$APT_HTTPS" != DIRECT ]; then export https_proxy=${https_proxy:-$APT_HTTPS}; fi
}
