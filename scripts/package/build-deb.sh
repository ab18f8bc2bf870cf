#!/bin/bash
# The Debian package of one executable: build-deb.sh VERSION amd64|arm64 EXECUTABLE ADDON OUTDIR. Needs dpkg-deb; the same bytes each time.
set -euo pipefail
version=$1 arch=$2 executable=$3 addon=$4 out=$5
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
name=ticketrail-gateway
debian=$root/systemd/debian
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)}
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

install -D -m755 "$executable" "$tree/usr/lib/$name/$name"
# Beside the program, where the unit allows code to be mapped from: nothing executable is written at run time.
install -D -m644 "$addon" "$tree/usr/lib/$name/better_sqlite3.node"
mkdir -p "$tree/usr/sbin"
ln -s "../lib/$name/$name" "$tree/usr/sbin/$name"
install -D -m755 "$root/systemd/$name-update" "$tree/usr/lib/$name/$name-update"
for unit in $name.service $name-update.service $name-update-wanted.service $name-update.timer $name-update.path; do
  install -D -m644 "$root/systemd/$unit" "$tree/usr/lib/systemd/system/$unit"
done
install -D -m644 "${COMPLETION:?the completion script}" "$tree/usr/share/bash-completion/completions/$name"
install -D -m644 "$debian/$name.sysusers" "$tree/usr/lib/sysusers.d/$name.conf"
install -D -m644 "$debian/$name.default" "$tree/etc/default/$name"
# The fonts inside of the program: each copy must come with their notices.
install -D -m644 "${FONTS_LICENCE:?the notices of the fonts}" "$tree/usr/share/doc/$name/fonts-licence.txt"
# What others' work is in it, and under which licences: made from what the bundles contain.
install -D -m644 "${COPYRIGHT:?the copyright file}" "$tree/usr/share/doc/$name/copyright"
gzip -9n <"${NOTICES:?the notices of the works of others}" >"$tree/usr/share/doc/$name/THIRD-PARTY-NOTICES.gz"
gzip -9n <"${SBOM:?the bill of materials}" >"$tree/usr/share/doc/$name/sbom.cdx.json.gz"
install -D -m644 "$debian/$name.lintian-overrides" "$tree/usr/share/lintian/overrides/$name"
mkdir -p "$tree/usr/share/man/man8"
gzip -9n <"$debian/$name.8" >"$tree/usr/share/man/man8/$name.8.gz"
printf '%s (%s) stable; urgency=medium\n\n  * Release.\n\n -- Ticketrail <packages@ticketrail.example>  %s\n' \
  "$name" "$version" "$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$tree/usr/share/doc/$name/changelog.gz"

mkdir -p "$tree/DEBIAN"
for script in postinst prerm postrm; do install -m755 "$debian/$script" "$tree/DEBIAN/$script"; done
echo "/etc/default/$name" >"$tree/DEBIAN/conffiles"
cat >"$tree/DEBIAN/control" <<CONTROL
Package: $name
Version: $version
Architecture: $arch
Maintainer: Ticketrail <packages@ticketrail.example>
Installed-Size: $(du -k -s --apparent-size --exclude=DEBIAN "$tree" | cut -f1)
Depends: libc6 (>= 2.34), libgcc-s1 (>= 3.4), libstdc++6 (>= 11), systemd (>= 252), init-system-helpers (>= 1.52)
Recommends: ca-certificates
Section: net
Priority: optional
Homepage: https://ticketrail.example
Description: print and kitchen gateway of a restaurant
 Receives orders from the cloud relay over MQTT, keeps them in a local
 SQLite queue and prints kitchen tickets on ESC/POS and Star printers.
CONTROL
(cd "$tree" && find . -path ./DEBIAN -prune -o -type f -printf '%P\0' | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
chmod 644 "$tree"/DEBIAN/{control,conffiles,md5sums}
find "$tree" -type d -exec chmod 755 {} +
find "$tree" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
# Level 9: its window of 64 MiB finds what lies twice in the package.
dpkg-deb -Z"${DEB_COMPRESSION:-xz}" -z"${DEB_LEVEL:-9}" --threads-max=1 --root-owner-group --build "$tree" "$out/${name}_${version}_$arch.deb" >/dev/null
