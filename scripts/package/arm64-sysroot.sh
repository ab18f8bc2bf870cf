#!/bin/bash
# The arm64 libraries that the executable needs, for running it under qemu-user: arm64-sysroot.sh FOLDER. Touches nothing of the machine's apt.
set -euo pipefail
folder=$1
[ ! -e "$folder/lib/ld-linux-aarch64.so.1" ] || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/debs" "$folder"
options=(-qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root)
apt-get "${options[@]}" update
(cd "$work/debs" && apt-get "${options[@]}" download libc6 libstdc++6 libgcc-s1)
for deb in "$work"/debs/*.deb; do dpkg -x "$deb" "$folder"; done
