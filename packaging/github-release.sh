#!/bin/sh
# Makes a draft of a release on GitHub, with its files: GH_TOKEN='…' sh packaging/github-release.sh v1.0.0 FOLDER
# Run again, it replaces the files of the draft. A release that is published stays as it is.
set -eu
tag=$1
folder=$2

if ! draft=$(gh release view "$tag" --json isDraft --jq .isDraft 2>/dev/null); then
  # A version such as 1.1.0-rc.1 is not the newest for those who ask for none.
  case $tag in *-*) kind=--prerelease ;; *) kind=--latest ;; esac
  gh release create "$tag" --draft --verify-tag "$kind" --title "iiot ${tag#v}" --notes-file "$folder/release-notes.md"
elif [ "$draft" != true ]; then
  echo "error: The release $tag is already published." >&2
  exit 1
fi
find "$folder" -type f ! -name release-notes.md -exec gh release upload "$tag" --clobber {} +
