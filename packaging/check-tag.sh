#!/bin/sh
# Says whether a release can be made of a tag, before anything is built: sh packaging/check-tag.sh v1.0.0
# In GitHub's jobs, GITHUB_REPOSITORY is the repository that the tag is in; npm refuses a provenance that names another.
set -eu
cd "$(dirname "$0")/.."

fail() {
  printf 'error: %s\nhint: See docs/internals/releasing.md\n' "$1" >&2
  exit 1
}

field() { sed -n "s/^  \"$2\": \"\(.*\)\",\{0,1\}\$/\1/p" "$1"; }

tag=${1:-}
version=$(field package.json version)
repository=$(field packaging/project.json repository)
[ "$tag" = "v$version" ] || fail "The tag is $tag, but package.json has version $version."
grep -q -e "^## $version\( \|\$\)" CHANGELOG.md || fail "CHANGELOG.md has no chapter \"## $version\"."
[ -n "$repository" ] || fail 'packaging/project.json has no repository.'
here=${GITHUB_SERVER_URL:-https://github.com}/${GITHUB_REPOSITORY:-}
[ -z "${GITHUB_REPOSITORY:-}" ] || [ "$repository" = "$here" ] || fail "packaging/project.json names $repository, but this is $here."
echo "$tag can be released."
