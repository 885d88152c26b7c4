#!/usr/bin/env bash
# Installs what is missing of the named sections of packages/debian-12.txt: install_packages.sh build test
# Where everything is present it touches neither apt nor the network.
set -euo pipefail
list="$(dirname "$(readlink -f "$0")")/packages/debian-12.txt"

packages_of() {  # the package names of one section
  awk -v section="[$1]" '
    /^\[/ { inside = ($1 == section); next }
    { sub(/#.*/, "") }
    inside && NF { print $1 }' "$list"
}

is_installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "This system has no apt. Install the libraries named in $list with your own package manager; going on." >&2
  exit 0
fi

missing=()
for section in "$@"; do
  for package in $(packages_of "$section"); do
    is_installed "$package" || missing+=("$package")
  done
done
if [ ${#missing[@]} = 0 ]; then
  echo "packages: all present"
  exit 0
fi

echo "packages: installing ${missing[*]}"
if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
  echo "Packages are missing and neither root nor sudo is at hand. Run as root: apt-get install ${missing[*]}" >&2
  exit 1
fi
as_root apt-get -qq update
as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${missing[@]}" >/dev/null
echo "packages: done"
