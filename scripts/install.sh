#!/bin/sh
# Installs the Ticketrail gateway on Debian 12 or newer, or 64-bit Raspberry Pi OS (bookworm or newer).
#   sudo sh install.sh --from URL|FOLDER --key-sha256 HASH [--relay URL] [--signed-on DATE] [--insecure]
# FROM is a repository (scripts/package/repository.sh): an https address, or a folder such as a stick. The box updates itself from there.
# --key-sha256: the hash of the repository's key, told by another way than the download.
# --relay: the relay where this box will be paired.
# --signed-on: takes a list of packages that was signed longer ago than 14 days, on this day (2026-11-22).
# --insecure: takes an unsigned source, a key that nobody named, and plain http. For trying things out.
set -eu
# A repository's own list expires after as long: scripts/package/repository.sh.
MOST_DAYS=14
DAY_S=86400
# What comes is smaller: a list, key or signature has a few kB, a package 42 MB. What is larger is refused, or it could fill the disk.
MOST_LIST_MB=1
MOST_PACKAGE_MB=150
# Without an answer or a byte for so long, a source hangs; and so long for one file in all, or one that sends a byte now and then has no end.
SILENT_S=60
MOST_FILE_S=${INSTALL_MOST_FILE_S:-1800}
# ulimit counts files in these (POSIX).
BLOCKS_IN_MB=2048
# 128 and the number of SIGXFSZ.
ENDED_BY_LIMIT=153
# Where it installs; another folder than / is for tests.
ROOT=${INSTALL_ROOT:-}
USAGE='--from URL|FOLDER --key-sha256 HASH [--relay URL] [--signed-on DATE] [--insecure]'

say() { echo "install.sh: $*" >&2; }
fail() { say "$*"; exit 1; }

# A bare Debian has wget, a Raspberry Pi both. wget cannot be told to stay with https where it is sent on, so it goes nowhere else.
download() { # URL FILE
  if [ "$loader" = curl ]; then
    timeout --foreground "$MOST_FILE_S" curl -fsSL --proto "$schemes" --proto-redir "$schemes" --retry 3 \
      --connect-timeout "$SILENT_S" --speed-limit 1 --speed-time "$SILENT_S" -o "$2" "$1"
  else timeout --foreground "$MOST_FILE_S" wget -q --tries=3 --timeout="$SILENT_S" --max-redirect=0 -O "$2" "$1"; fi
}
get() { # NAME MOST_MB: into $work
  most=$(($2 * BLOCKS_IN_MB)) got=0
  ( # The system ends whoever writes more, by a signal.
    ulimit -c 0
    ulimit -f "$most"
    case $from in
      *://*) download "$from/$1" "$work/$1" || exit $? ;;
      *) cp "$from/$1" "$work/$1" || exit $? ;;
    esac
  ) 2>/dev/null || got=$?
  if [ "$got" -eq "$ENDED_BY_LIMIT" ] || { [ -f "$work/$1" ] && [ "$(stat -c %s "$work/$1")" -ge $((most * 512)) ]; }; then
    fail "$from/$1 is larger than $2 MB: nothing was installed. None of ours is; ask whoever runs the source"
  fi
  return "$got"
}
fetch() { # NAME MOST_MB
  get "$1" "$2" && return 0
  hint=''
  [ "$loader" != wget ] || hint='. Where a source sends you on to another address, only curl follows: apt-get install curl'
  fail "$from/$1 is not there, or could not be fetched: nothing was installed$hint"
}

read_options() {
  from='' key_sha256='' relay='' signed_on='' insecure=''
  while [ $# -gt 0 ]; do
    case $1 in
      --from) from=${2:?--from wants a URL or a folder}; shift 2 ;;
      --key-sha256) key_sha256=${2:?--key-sha256 wants 64 hex characters}; shift 2 ;;
      --relay) relay=${2:?--relay wants the https address of a relay}; shift 2 ;;
      --signed-on) signed_on=${2:?--signed-on wants a day such as 2026-11-22}; shift 2 ;;
      --insecure) insecure=yes; shift ;;
      *) fail "there is no option $1; use $USAGE" ;;
    esac
  done
  [ -n "$from" ] || fail "say where from: $USAGE"
  schemes='=https'
  case $from in
    https://*) ;;
    http://*)
      [ -n "$insecure" ] || fail "--from $from: everybody on the way can change what comes over http; use an https:// address or a folder"
      schemes='=http,https' ;;
    *://*) fail "--from $from: use an https:// address or a folder" ;;
  esac
  case $from in *[[:cntrl:]]*) fail '--from: a path without line breaks, tabs and the like is needed: it goes into a file of apt' ;; esac
  # It goes into a file of apt's.
  case $from in *://*[!A-Za-z0-9._~:/%-]*) fail "--from $from: an address without name, password, query and spaces is needed" ;; esac
  from=${from%/}
  if [ -n "$key_sha256" ]; then
    key_sha256=$(printf %s "$key_sha256" | tr A-F a-f)
    case $key_sha256 in *[!0-9a-f]*) fail '--key-sha256 wants 64 characters, each 0 to 9 or a to f' ;; esac
    [ ${#key_sha256} -eq 64 ] || fail "--key-sha256 wants 64 characters; these are ${#key_sha256}"
  elif [ -z "$insecure" ]; then
    fail "--key-sha256 HASH is missing: without it nobody can tell who made the package. It stands in the release notes; ask whoever runs the repository"
  fi
  # It goes into a file that a shell may read.
  case $relay in ''|https://*) ;; *) fail "--relay $relay: an address that begins with https:// is needed" ;; esac
  case $relay in *[!A-Za-z0-9._~:/%-]*) fail "--relay $relay: an address without name, password and query is needed" ;; esac
}

check_machine() {
  [ "$(id -u)" -eq 0 ] || fail 'run it as root: sudo sh install.sh ...'
  command -v dpkg >/dev/null || fail 'this machine has no dpkg: Debian or Raspberry Pi OS is needed'
  arch=$(dpkg --print-architecture)
  case $arch in amd64|arm64) ;; *) fail "the machine is $arch; a 64-bit system (amd64 or arm64) is needed" ;; esac
  loader=''
  case $from in *://*)
    if command -v curl >/dev/null; then loader=curl
    elif command -v wget >/dev/null; then loader=wget
    else fail 'neither curl nor wget is there: apt-get install curl'; fi ;;
  esac
  dpkg --compare-versions "$(dpkg-query -W -f '${Version}' libc6 2>/dev/null || echo 0)" ge 2.34 || fail 'the system is too old: Debian 12 (bookworm) or newer is needed'
}

# The key that was named, and a signature of it over the list. What the list itself says decides nothing here.
check_signature() {
  has_repository=yes
  if ! get SHA256SUMS.gpg $MOST_LIST_MB || ! get ticketrail-archive.gpg $MOST_LIST_MB; then
    [ -n "$insecure" ] && [ -z "$key_sha256" ] || fail "$from is not signed (SHA256SUMS.gpg or ticketrail-archive.gpg is missing): nothing was installed. Ask whoever runs it; it may have been changed on its way"
    has_repository='' signed_s=0
    say '--insecure: this source is not signed, so nobody has checked who made this package. It runs as a service of this machine, and will not update itself'
    return 0
  fi
  if [ -n "$key_sha256" ]; then
    printf '%s  %s\n' "$key_sha256" "$work/ticketrail-archive.gpg" | sha256sum -c --status || fail "the key of $from is not the one that you named: nothing was installed. Compare the hash with the release notes; if it is right there, this source is a false one"
  else
    say "--insecure: the key was fetched together with the package, so nobody has checked who made it. From now on this box takes every update signed by the key with the SHA-256 $(sha256sum "$work/ticketrail-archive.gpg" | cut -d' ' -f1)"
  fi
  command -v gpgv >/dev/null || fail 'gpgv is missing: apt-get install gpgv'
  # A clock that is behind is found below, and said as such. GOODSIG: neither key nor signature has expired.
  gpgv --status-fd 1 --quiet --ignore-time-conflict --weak-digest SHA1 --keyring "$work/ticketrail-archive.gpg" \
    "$work/SHA256SUMS.gpg" "$work/SHA256SUMS" >"$work/verified" 2>/dev/null && grep -q '^\[GNUPG:\] GOODSIG ' "$work/verified" \
    || fail 'the list of packages is not signed by the key: nothing was installed. It was changed, or is damaged; fetch it again, or ask whoever runs the repository'
  signed_s=$(sed -n 's/^\[GNUPG:\] VALIDSIG [0-9A-F]* [0-9-]* \([0-9]*\) .*/\1/p' "$work/verified" | head -n 1)
  [ -n "$signed_s" ] || fail 'the signature of the list of packages has no date: nothing was installed'
  check_age
}

# An old list, signed as it is, brings back old faults.
check_age() {
  day=$(date -u -d "@$signed_s" +%F)
  now_s=$(date +%s)
  [ "$signed_s" -le $((now_s + DAY_S)) ] || fail "the list of packages was signed on $day, and this machine's clock says $(date -u +%F): set the clock (timedatectl set-ntp true), then try again"
  [ "$signed_on" != "$day" ] || return 0
  newest_s=$(cat "$ROOT/var/lib/ticketrail-gateway-update/list-signed" 2>/dev/null || echo 0)
  case $newest_s in ''|*[!0-9]*) newest_s=0 ;; esac
  [ "$signed_s" -ge "$newest_s" ] || fail "the list of packages (signed on $day) is older than the list that this box was installed from: nothing was installed. If that is on purpose: --signed-on $day"
  [ "$signed_s" -ge $((now_s - MOST_DAYS * DAY_S)) ] || fail "the list of packages was signed on $day, longer than $MOST_DAYS days ago: nothing was installed. Somebody may keep newer ones from you. Fetch it again; if the old one is meant: --signed-on $day"
}

# Everything is named by the list; a changed or cut off file is refused.
check_package() {
  deb=$(sed -n "s#^[0-9a-f]\{64\}  \(\(pool/\)\{0,1\}ticketrail-gateway_[0-9][^/]*_$arch\.deb\)\$#\1#p" "$work/SHA256SUMS" | sort -V | tail -n 1)
  [ -n "$deb" ] || fail "SHA256SUMS names no package for $arch"
  mkdir -p "$work/pool"
  fetch "$deb" $MOST_PACKAGE_MB
  (cd "$work" && awk -v name="$deb" '$2 == name' SHA256SUMS | sha256sum -c --status) || fail "$deb is damaged or was changed: nothing was installed"
  version=$(dpkg-deb -f "$work/$deb" Version)
  installed=$(dpkg-query -W -f '${Version}' ticketrail-gateway 2>/dev/null || true)
  [ -z "$installed" ] || dpkg --compare-versions "$version" ge "$installed" || fail "the source has $version, and $installed is installed, which is newer: nothing was installed. To go back: sudo apt install --allow-downgrades <package>"
}

# Not before the package is in: who was refused has nothing of it.
set_up_updates() {
  state=$ROOT/var/lib/ticketrail-gateway-update
  if [ -n "$has_repository" ]; then
    install -d -m755 "$ROOT/etc/ticketrail-gateway/apt"
    install -m644 "$work/ticketrail-archive.gpg" "$ROOT/etc/ticketrail-gateway/apt/ticketrail-archive.gpg"
    # apt ends an address at a space, and reads %20 as one.
    case $from in *://*) uri=$from ;; *) uri=file:$(cd "$from" && pwd | sed 's/%/%25/g; s/ /%20/g') ;; esac
    printf 'Types: deb\nURIs: %s\nSuites: stable\nComponents: main\nSigned-By: /etc/ticketrail-gateway/apt/ticketrail-archive.gpg\n' "$uri" >"$ROOT/etc/ticketrail-gateway/apt/ticketrail.sources"
  fi
  # The updater goes back to it, without a network, when its successor fails.
  install -d -m755 "$state/keep"
  install -m644 "$work/$deb" "$state/keep/ticketrail-gateway_$version.deb"
  [ "$signed_s" -eq 0 ] || echo "$signed_s" >"$state/list-signed"
}

set_relay() {
  settings=$ROOT/etc/default/ticketrail-gateway
  if [ -n "$relay" ] && ! grep -qxF "GATEWAY_RELAY_URL=$relay" "$settings"; then
    sed -i '/^GATEWAY_RELAY_URL=/d' "$settings"
    printf 'GATEWAY_RELAY_URL=%s\n' "$relay" >>"$settings"
    [ ! -d /run/systemd/system ] || systemctl restart ticketrail-gateway
  fi
}

main() {
  read_options "$@"
  check_machine
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  # Debian's sh runs the line above at its own end only, not at a signal's.
  trap 'exit 130' HUP INT TERM
  fetch SHA256SUMS $MOST_LIST_MB
  check_signature
  check_package
  export DEBIAN_FRONTEND=noninteractive
  chmod -R u=rwX,go=rX "$work"
  apt-get install -y -qq --no-install-recommends "$work/$deb" || fail 'apt-get could not install the package; its messages stand above'
  set_up_updates
  set_relay
  "$ROOT/usr/sbin/ticketrail-gateway" welcome || true
}

# The last line: a script that was cut off on its way does nothing.
main "$@"
