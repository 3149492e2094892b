#!/bin/sh
# The step of action.yml: installs into the job's temporary folder, and tells the next steps.
set -eu
here=$(dirname "$0")
version=${SETUP_VERSION:-$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$here/../../package.json")}
prefix=$RUNNER_TEMP/iiot

set -- --version "$version" --prefix "$prefix"
if [ -n "${SETUP_FROM:-}" ]; then set -- "$@" --from "$SETUP_FROM"; fi
if [ -n "${SETUP_PUBLIC_KEY:-}" ]; then set -- "$@" --public-key "$SETUP_PUBLIC_KEY"; fi
PATH=$prefix/bin:$PATH sh "$here/../install.sh" "$@"

printf '%s\n' "$prefix/bin" >>"$GITHUB_PATH"
printf 'version=%s\n' "$("$prefix/bin/iiot" --version)" >>"$GITHUB_OUTPUT"
