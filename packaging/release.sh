#!/bin/sh
# Writes version and digest of a packed tarball into formula, PKGBUILD and flake: packaging/release.sh copane-1.2.3.tgz
set -eu
tarball=$1
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
version=$(basename "$tarball" .tgz | sed 's/^copane-//')
digest=$( (sha256sum "$tarball" 2>/dev/null || shasum -a 256 "$tarball") | cut -d' ' -f1)

# BSD sed has no -i without a suffix.
edit() {
  sed "$2" "$1" >"$1.new"
  cat "$1.new" >"$1"
  rm "$1.new"
}
edit "$here/homebrew/copane.rb" "s|/v[^/]*/copane-.*\.tgz|/v$version/copane-$version.tgz|; s|sha256 \".*\"|sha256 \"$digest\"|"
edit "$here/aur/PKGBUILD" "s|^pkgver=.*|pkgver=$version|; s|^sha256sums=.*|sha256sums=('$digest')|"
edit "$here/flake.nix" "s|version = \".*\"|version = \"$version\"|; s|sha256 = \".*\"|sha256 = \"$digest\"|"
