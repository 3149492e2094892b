#!/bin/sh
# Signs the sums of a release: MINISIGN_SECRET_KEY='…' MINISIGN_PASSWORD='…' sh packaging/sign.sh FOLDER
# The key is the content of the file that minisign has made. The signature is checked with the tracked public key at once.
set -eu
public=$(cd "$(dirname "$0")" && pwd)/minisign.pub
cd "$1"

if [ -z "${MINISIGN_SECRET_KEY:-}" ]; then
  echo 'SHA256SUMS was not signed: there is no MINISIGN_SECRET_KEY.'
  exit
fi
umask 077
key=$(mktemp)
trap 'rm -f "$key"' EXIT
printf '%s\n' "$MINISIGN_SECRET_KEY" >"$key"
version=$(sed -n 's/^.*  iiot-\(.*\)\.tgz$/\1/p' SHA256SUMS)
rm -f SHA256SUMS.minisig
printf '%s\n' "${MINISIGN_PASSWORD:-}" | minisign -S -s "$key" -m SHA256SUMS -t "iiot ${version:?}" >/dev/null
chmod 644 SHA256SUMS.minisig
minisign -Vm SHA256SUMS -p "$public" || {
  rm -f SHA256SUMS.minisig
  echo "error: The secret key does not belong to $public." >&2
  exit 1
}
