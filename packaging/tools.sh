#!/bin/sh
# Installs from Debian or Ubuntu what is needed besides Node: sudo sh packaging/tools.sh [release|tests|sign]
set -eu
case ${1:-release} in
  release) set -- binutils busybox debian-archive-keyring dpkg fish groff-base man-db minisign mmdebstrap openssl qemu-user-static rpm shellcheck zsh ;;
  tests) set -- busybox chromium fish groff-base man-db microsocks minisign nginx-light openssl shellcheck tinyproxy wine wine64 zsh ;;
  sign) set -- minisign ;;
  *) echo 'error: Say release, tests or sign.' >&2 && exit 2 ;;
esac
export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -q --yes --no-install-recommends "$@"
