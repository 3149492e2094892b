#!/bin/sh
# Publishes the npm package of a release: sh packaging/publish-npm.sh FOLDER [npm's options, such as --provenance]
# A version that is there already with the same content is left as it is, so that a release that stopped halfway can be run again.
set -eu

folder=$1
shift
set -- --fetch-retries 5 "$@"

fail() {
  printf 'error: %s\n' "$1" >&2
  exit 1
}

tarball=$(find "$folder" -maxdepth 1 -name 'iiot-*.tgz')
[ -f "$tarball" ] || fail "$folder has to have one iiot-VERSION.tgz."
name=${tarball##*/}
version=${name#iiot-}
version=${version%.tgz}
grep -x -e "$(sha256sum <"$tarball" | cut -c 1-64)  $name" "$folder/SHA256SUMS" >/dev/null || fail "$name is not the one of SHA256SUMS."

integrity=sha512-$(openssl dgst -sha512 -binary <"$tarball" | openssl base64 -A)
published=$(npm view "iiot-cli@$version" dist.integrity "$@" 2>/dev/null || :)
case $published in
  "$integrity") echo "iiot-cli $version is already published." && exit ;;
  ?*) fail "Another iiot-cli $version is already published." ;;
esac

# A version such as 1.1.0-rc.1 is not what people get who ask for none.
case $version in *-*) tag=next ;; *) tag=latest ;; esac
npm publish "$(cd "$folder" && pwd)/$name" --access public --tag "$tag" --ignore-scripts "$@"
