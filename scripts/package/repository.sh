#!/bin/bash
# A signed apt repository that any static web server can serve: repository.sh KEYFILE RELEASEFOLDER OUTFOLDER [SUITE]
# KEYFILE: a secret OpenPGP key without passphrase, as gpg --export-secret-keys writes it. Older packages in OUTFOLDER stay, for the way back.
# Needs gpg and apt-ftparchive (apt-utils).
set -euo pipefail
key=$(realpath "$1") release=$(realpath "$2") out=$3 suite=${4:-stable}
mkdir -p "$out/pool"
out=$(realpath "$out")
home=$(mktemp -d)
trap 'gpgconf --homedir "$home" --kill all 2>/dev/null || true; rm -rf "$home"' EXIT
chmod 700 "$home"
sign() { gpg --homedir "$home" --batch --quiet --yes "$@"; }
sign --import "$key"
sign --output "$out/ticketrail-archive.gpg" --export

cp "$release"/*.deb "$out/pool/"
cp "$(dirname "$0")/../install.sh" "$out/install.sh"
cd "$out"
for arch in amd64 arm64; do
  folder=dists/$suite/main/binary-$arch
  mkdir -p "$folder"
  apt-ftparchive --arch "$arch" packages pool >"$folder/Packages"
  gzip -9nk -f "$folder/Packages"
done
# A box whose copy of the list is older than this is being kept from updates: apt says so.
rm -f "dists/$suite/Release" "dists/$suite/InRelease"
apt-ftparchive \
  -o APT::FTPArchive::Release::Origin=Ticketrail -o APT::FTPArchive::Release::Label=Ticketrail \
  -o APT::FTPArchive::Release::Suite="$suite" -o APT::FTPArchive::Release::Codename="$suite" \
  -o APT::FTPArchive::Release::Architectures='amd64 arm64' -o APT::FTPArchive::Release::Components=main \
  -o APT::FTPArchive::Release::ValidTime=$((14 * 24 * 3600)) \
  release "dists/$suite" >"$home/Release"
mv "$home/Release" "dists/$suite/Release"
sign --clearsign --digest-algo SHA512 --output "dists/$suite/InRelease" "dists/$suite/Release"
# For install.sh, before a box has the key. It takes no list that was signed longer ago than the 14 days above.
sha256sum pool/*.deb install.sh ticketrail-archive.gpg >SHA256SUMS
sign --detach-sign --digest-algo SHA512 --output SHA256SUMS.gpg SHA256SUMS
# Both belong into the release notes: who installs must have them from elsewhere than this folder.
echo "install.sh $(sha256sum install.sh | cut -d' ' -f1)"
echo "key $(sha256sum ticketrail-archive.gpg | cut -d' ' -f1)"
