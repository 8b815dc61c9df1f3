#!/bin/sh
# Writes version and digest of a packed tarball into the formula and the PKGBUILD: packaging/release.sh copane-1.2.3.tgz
# With prefetch-npm-deps on the PATH (nixpkgs has it) the flake's hash of package-lock.json is written, too.
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
if command -v prefetch-npm-deps >/dev/null 2>&1; then
  edit "$here/flake.nix" "s|npmDepsHash = \".*\"|npmDepsHash = \"$(prefetch-npm-deps "$here/../package-lock.json")\"|"
fi
