#!/bin/sh
# The step of action.yml: installs into the job's temporary folder, and tells the next steps.
set -eu
here=$(dirname "$0")
version=${SETUP_VERSION:-$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$here/../../package.json")}
prefix=$RUNNER_TEMP/iiot

case ${SETUP_FROM:-} in
  *://*)
    if [ -z "${SETUP_PUBLIC_KEY:-}" ]; then
      echo 'error: from is an address: give public-key, with which the release is checked.' >&2
      exit 1
    fi
    # Without its path and its port.
    case $(printf '%s\n' "$SETUP_FROM" | sed 's|^\([a-z]*://[^/]*\).*|\1|; s|:[0-9]*$||') in
      *@*) echo 'error: from has a user or a password in it: give the address without them.' >&2 && exit 1 ;;
      https://* | http://127.0.0.1 | http://localhost) ;;
      *) echo "error: $SETUP_FROM is not encrypted: use https." >&2 && exit 1 ;;
    esac
    ;;
esac

set -- --version "$version" --prefix "$prefix"
if [ -n "${SETUP_FROM:-}" ]; then set -- "$@" --from "$SETUP_FROM"; fi
if [ -n "${SETUP_PUBLIC_KEY:-}" ]; then set -- "$@" --public-key "$SETUP_PUBLIC_KEY"; fi
PATH=$prefix/bin:$PATH sh "$here/../install.sh" "$@"

printf '%s\n' "$prefix/bin" >>"$GITHUB_PATH"
printf 'version=%s\n' "$("$prefix/bin/iiot" --version)" >>"$GITHUB_OUTPUT"
