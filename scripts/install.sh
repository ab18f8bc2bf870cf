#!/bin/sh
# Installs the Ticketrail gateway on Debian 12 or newer, or 64-bit Raspberry Pi OS (bookworm or newer).
#   sudo sh install.sh --from URL|FOLDER [--key-sha256 HASH] [--relay URL]
# FROM is a release folder, or a repository folder (scripts/package/repository.sh): then the box also updates itself from there.
# --relay: the relay where this box will be paired.
set -eu
from='' key_sha256='' relay=''
fail() { echo "install.sh: $*" >&2; exit 1; }
while [ $# -gt 0 ]; do
  case $1 in
    --from) from=${2:?--from wants a URL or a folder}; shift 2 ;;
    --key-sha256) key_sha256=${2:?--key-sha256 wants 64 hex characters}; shift 2 ;;
    --relay) relay=${2:?--relay wants the https address of a relay}; shift 2 ;;
    *) fail "there is no option $1; use --from URL|FOLDER [--key-sha256 HASH] [--relay URL]" ;;
  esac
done
[ -n "$from" ] || fail 'say where from: --from URL|FOLDER'
# It goes into a file that a shell may read.
case $relay in ''|https://*) ;; *) fail "--relay $relay: an address that begins with https:// is needed" ;; esac
case $relay in *[!A-Za-z0-9._~:/%-]*) fail "--relay $relay: an address without name, password and query is needed" ;; esac
[ "$(id -u)" -eq 0 ] || fail 'run it as root: sudo sh install.sh ...'
command -v dpkg >/dev/null || fail 'this machine has no dpkg: Debian or Raspberry Pi OS is needed'
arch=$(dpkg --print-architecture)
case $arch in amd64|arm64) ;; *) fail "the machine is $arch; a 64-bit system (amd64 or arm64) is needed" ;; esac
dpkg --compare-versions "$(dpkg-query -W -f '${Version}' libc6 2>/dev/null || echo 0)" ge 2.34 || fail 'the system is too old: Debian 12 (bookworm) or newer is needed'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A bare Debian has wget, a Raspberry Pi both.
download() { # URL FILE
  if command -v curl >/dev/null; then curl -fsSL --retry 3 -o "$2" "$1"
  elif command -v wget >/dev/null; then wget -q --tries=3 -O "$2" "$1"
  else fail 'neither curl nor wget is there: apt-get install curl'; fi
}
fetch() { # NAME: into $work
  case $from in
    https://*|http://*) download "$from/$1" "$work/$1" || fail "$from/$1 could not be fetched" ;;
    *) cp "$from/$1" "$work/$1" 2>/dev/null || fail "$from/$1 is not there" ;;
  esac
}

# Everything is named by this list; a changed or cut off file is refused.
fetch SHA256SUMS
deb=$(sed -n "s#^[0-9a-f]\{64\}  \(\(pool/\)\{0,1\}ticketrail-gateway_[0-9][^/]*_$arch\.deb\)\$#\1#p" "$work/SHA256SUMS" | sort -V | tail -n 1)
[ -n "$deb" ] || fail "SHA256SUMS names no package for $arch"
if grep -q '  ticketrail-archive.gpg$' "$work/SHA256SUMS"; then
  fetch SHA256SUMS.gpg
  fetch ticketrail-archive.gpg
  [ -z "$key_sha256" ] || printf '%s  %s\n' "$key_sha256" "$work/ticketrail-archive.gpg" | sha256sum -c --status || fail 'the key is not the one that you named: nothing was installed'
  command -v gpgv >/dev/null || fail 'gpgv is missing: apt-get install gpgv'
  gpgv --quiet --keyring "$work/ticketrail-archive.gpg" "$work/SHA256SUMS.gpg" "$work/SHA256SUMS" 2>/dev/null || fail 'the list of files is not signed by the key: nothing was installed'
  has_repository=yes
elif [ -n "$key_sha256" ]; then
  fail 'this folder is not signed, so the key cannot be checked: nothing was installed'
else
  has_repository=''
fi
mkdir -p "$work/pool"
fetch "$deb"
(cd "$work" && grep "  $deb\$" SHA256SUMS | sha256sum -c --status) || fail "$deb is damaged or was changed: nothing was installed"

if [ -n "$has_repository" ]; then
  install -d -m755 /etc/ticketrail-gateway/apt
  install -m644 "$work/ticketrail-archive.gpg" /etc/ticketrail-gateway/apt/ticketrail-archive.gpg
  case $from in https://*|http://*) uri=$from ;; *) uri=file:$(cd "$from" && pwd) ;; esac
  printf 'Types: deb\nURIs: %s\nSuites: stable\nComponents: main\nSigned-By: /etc/ticketrail-gateway/apt/ticketrail-archive.gpg\n' "$uri" >/etc/ticketrail-gateway/apt/ticketrail.sources
fi
# The updater goes back to it, without a network, when its successor fails.
version=$(dpkg-deb -f "$work/$deb" Version)
install -d -m755 /var/lib/ticketrail-gateway-update/keep
install -m644 "$work/$deb" "/var/lib/ticketrail-gateway-update/keep/ticketrail-gateway_$version.deb"
export DEBIAN_FRONTEND=noninteractive
chmod -R u=rwX,go=rX "$work"
apt-get install -y -qq --no-install-recommends "$work/$deb" || fail 'apt-get could not install the package; its messages stand above'
settings=/etc/default/ticketrail-gateway
if [ -n "$relay" ] && ! grep -qxF "GATEWAY_RELAY_URL=$relay" "$settings"; then
  sed -i '/^GATEWAY_RELAY_URL=/d' "$settings"
  printf 'GATEWAY_RELAY_URL=%s\n' "$relay" >>"$settings"
  [ ! -d /run/systemd/system ] || systemctl restart ticketrail-gateway
fi
/usr/sbin/ticketrail-gateway welcome || true
