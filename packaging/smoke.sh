#!/bin/sh
# Installs the single file of a release for this system, lets it work, and removes it: sh packaging/smoke.sh FOLDER
set -eu
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
installer=$1/install.sh
export IIOT_CONFIG_DIR="$place/settings"

case $(uname -s) in
  MINGW* | MSYS* | CYGWIN*)
    archive=$(find "$1" -maxdepth 1 -name 'iiot-*-win-x64.zip')
    (cd "$1" && sha256sum --ignore-missing --check SHA256SUMS)
    unzip -q "$archive" -d "$place"
    program=$(find "$place" -name iiot.exe)
    ;;
  *)
    sh "$installer" --from "$1" --prefix "$place/prefix"
    program=$place/prefix/bin/iiot
    ;;
esac

"$program" --version
first=$("$program" sandbox exec -- "$program" orgs users list --limit 1 -o id)
[ "$first" = ada ] || {
  echo "error: The first user of the sandbox is ada, not $first." >&2
  exit 1
}
case $program in *.exe) ;; *) sh "$installer" --uninstall --prefix "$place/prefix" ;; esac
