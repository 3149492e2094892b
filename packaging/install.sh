#!/bin/sh
# Installs the single-file iiot: sh install.sh --help
# Nothing is unpacked before its checksum is right, and the installed version stays as it is until the new one has started once.
set -eu

# Both are filled in for the first release; test/release/install.test.ts compares them with project.json and minisign.pub beside this file.
repository=''
public_key=''

usage() {
  cat <<'HELP'
Install iiot, without Node and without sudo.

USAGE
  sh install.sh [--version V] [--prefix DIR] [--from DIR|URL] [--public-key FILE]
  sh install.sh --uninstall [--prefix DIR]

OPTIONS
  --version V         Version to install; by default the newest
  --prefix DIR        Where to install: DIR/bin, DIR/lib/iiot, DIR/share (default ~/.local)
  --from DIR|URL      Folder or address with the files of a release, for a machine without the internet or a mirror
  --public-key FILE   minisign public key that must have signed SHA256SUMS; without a way to check, nothing is installed
  --uninstall         Remove what this script has installed; settings and logins are kept
  --help              Show this help
HELP
}

say() { printf '%s\n' "$*"; }

fail() {
  printf 'error: %s\n' "$1" >&2
  if [ $# -gt 1 ]; then printf 'hint: %s\n' "$2" >&2; fi
  exit 1
}

wrong_line() {
  printf 'error: %s\nhint: sh install.sh --help\n' "$1" >&2
  exit 2
}

has() { command -v "$1" >/dev/null 2>&1; }

read_line() {
  version='' prefix='' from='' key_file='' uninstall=''
  while [ $# -gt 0 ]; do
    option=$1
    shift
    case $option in
      --help | -h) usage && exit 0 ;;
      --uninstall) uninstall=yes && continue ;;
      --*=*) value=${option#*=} option=${option%%=*} ;;
      --version | --prefix | --from | --public-key)
        [ $# -gt 0 ] || wrong_line "$option needs a value."
        value=$1
        shift
        ;;
      *) wrong_line "Unknown option $option." ;;
    esac
    [ -n "$value" ] || wrong_line "$option needs a value."
    case $option in
      --version) version=${value#v} ;;
      --prefix) prefix=$value ;;
      --from) from=${value%/} ;;
      --public-key) key_file=$value ;;
      *) wrong_line "Unknown option $option." ;;
    esac
  done
  case $version in *[!0-9A-Za-z.+-]*) wrong_line "--version takes a version such as 1.0.0." ;; esac
  if [ -z "$prefix" ]; then
    [ -n "${HOME:-}" ] || wrong_line 'There is no HOME: give --prefix DIR.'
    prefix=$HOME/.local
  fi
  case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
  prefix=${prefix%/}
  program=$prefix/bin/iiot
  releases=$prefix/lib/iiot
}

# What runs here: system and CPU as the names of the archives have them.
find_system() {
  machine=$(uname -m)
  case $(uname -s) in
    Linux) system=linux ;;
    Darwin)
      system=darwin
      # A shell under Rosetta takes itself for an Intel Mac.
      if [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || :)" = 1 ]; then machine=arm64; fi
      ;;
    MINGW* | MSYS* | CYGWIN*) fail 'This script is for Linux and macOS.' 'On Windows, unpack iiot-VERSION-win-x64.zip of the release.' ;;
    *) no_single_file "$(uname -s)" ;;
  esac
  case $machine in
    x86_64 | amd64) cpu=x64 ;;
    aarch64 | arm64) cpu=arm64 ;;
    *) no_single_file "$machine" ;;
  esac
  if [ "$(getconf LONG_BIT 2>/dev/null || :)" = 32 ]; then no_single_file "a 32-bit system"; fi
  case $(ldd --version 2>&1 || :) in *musl*) no_single_file 'musl (Alpine)' ;; esac
}

no_single_file() {
  fail "No single-file build of iiot for $1." \
    'With Node 20.18.1 or newer, install the npm package of the release: npm install --global ./iiot-VERSION.tgz'
}

find_source() {
  if [ -z "$from" ]; then
    [ -n "$repository" ] || wrong_line 'iiot has no download address yet: give --from with the folder or address of a release.'
    from=$repository/releases/latest/download
    if [ -n "$version" ]; then from=$repository/releases/download/v$version; fi
  fi
  # Without its path and its port.
  case $(printf '%s\n' "$from" | sed 's|^\([a-z]*://[^/]*\).*|\1|; s|:[0-9]*$||') in
    http://*@* | https://*@*) fail 'The address of --from has a user or a password in it.' 'Give it without them' ;;
    https://* | http://127.0.0.1 | http://localhost) ;;
    http://*)
      [ -n "$key_file$public_key" ] || fail "$from is not encrypted: anybody on the way could replace the files." 'Use https, or give --public-key FILE'
      key_must_be_used=yes
      ;;
    *) [ -d "$from" ] || fail "No such folder: $from." ;;
  esac
}

find_key() {
  key_must_be_used=${key_must_be_used:-}
  if [ -n "$key_file" ]; then
    [ -f "$key_file" ] || fail "No such file: $key_file."
    public_key=$(grep -v '^untrusted comment:' "$key_file" | tr -d ' \r' | grep -x '[A-Za-z0-9+/]\{56\}' || :)
    [ -n "$public_key" ] || fail "$key_file is not a minisign public key."
    key_must_be_used=yes
  fi
}

# Folders that are made here, so that a failure can remove them again.
folder() {
  [ ! -d "$1" ] || return 0
  folder "$(dirname "$1")" || return 1
  if mkdir "$1" 2>/dev/null; then
    made="$1
$made"
  fi
  [ -d "$1" ]
}

is_ours() {
  [ -L "$1" ] || return 1
  target=$(readlink "$1")
  case $target in "$releases"/*) ;; *) return 1 ;; esac
  case ${target#"$releases"} in */../*) return 1 ;; esac
}

make_workplace() {
  if [ -e "$program" ] || [ -L "$program" ]; then
    is_ours "$program" || fail "$program was not installed by this script." "Remove it first, or choose another folder: --prefix DIR"
  fi
  if ! folder "$releases" || ! folder "$prefix/bin" || [ ! -w "$prefix/bin" ] ||
    ! work=$(mktemp -d "$releases/.new.XXXXXX" 2>/dev/null); then
    work=''
    fail "Cannot write to $prefix." 'Choose another folder: --prefix DIR'
  fi
}

clean_up() {
  status=$?
  trap - EXIT
  if [ -n "$work" ]; then rm -rf "$work"; fi
  if [ "$status" != 0 ]; then
    if [ -n "$placed" ] && [ "$(readlink "$program" 2>/dev/null || :)" != "$placed/iiot" ]; then rm -rf "$placed"; fi
    printf '%s' "$made" | while IFS= read -r each; do rmdir "$each" 2>/dev/null || :; done
  fi
  exit "$status"
}

# A file of the release, into the workplace.
fetch() {
  case $from in
    http://* | https://*) download "$from/$1" "$work/$1" ;;
    *) [ -f "$from/$1" ] && cp "$from/$1" "$work/$1" ;;
  esac
}

# Ends where the server falls silent, and takes nothing from behind a redirect that is not to an absolute https address.
download() {
  next=$1 follows=yes
  for _ in 1 2 3 4 5; do
    if has curl; then
      headers=$(curl --fail --silent --show-error --location --proto =http,https --proto-redir =https --retry 2 --connect-timeout 30 --speed-limit 1 --speed-time 60 \
        --dump-header - --output "$2" "$next" </dev/null) && fetched=yes || fetched=''
    elif has wget; then
      # busybox follows redirects itself, and has its own limit; with -T, some of its versions crash.
      case $(wget --version 2>&1 || :) in *GNU*) limits='-T 60 -t 3 --max-redirect=0' follows='' ;; *) limits='' ;; esac
      # shellcheck disable=SC2086
      headers=$(wget -q -S $limits -O "$2" "$next" 2>&1 </dev/null) && fetched=yes || fetched=''
    else
      fail 'Neither curl nor wget is here to download with.' 'Install one of them, or give --from DIR'
    fi
    led=$(printf '%s\n' "$headers" | tr -d '\r' |
      awk 'tolower($0) ~ /^ *location:/ { sub(/^[^:]*:/, ""); led = $1; if (led !~ "^https://") exit 1 } END { print led }') || return 1
    if [ -n "$follows" ] || [ -z "$led" ]; then break; fi
    next=$led
  done
  [ -n "$fetched" ]
}

sha256_of() {
  if has sha256sum; then
    sha256sum <"$1"
  elif has shasum; then
    shasum -a 256 <"$1"
  elif has openssl; then
    openssl dgst -sha256 -r <"$1"
  else
    fail 'None of sha256sum, shasum and openssl is here to check the download with.'
  fi | cut -c 1-64
}

openssl_can() {
  has openssl && openssl pkeyutl -help 2>&1 | grep -q -e -rawin && openssl dgst -blake2b512 </dev/null >/dev/null 2>&1
}

decoded() { printf '%s' "$1" | openssl base64 -d -A; }

bytes() { dd bs=1 skip="$1" count="$2" 2>/dev/null; }

# minisign's format by hand: Ed25519 over the BLAKE2b-512 of the file, and again over that signature with its comment.
openssl_verifies() {
  signature=$(sed -n 2p "$1.minisig")
  comment=$(sed -n '3s/^trusted comment: //p' "$1.minisig" | tr -d '\r')
  [ "$(decoded "$signature" | bytes 0 2)" = ED ] || return 1
  [ "$(decoded "$signature" | bytes 2 8 | od -An -tx1)" = "$(decoded "$public_key" | bytes 2 8 | od -An -tx1)" ] || return 1
  {
    printf '\060\052\060\005\006\003\053\145\160\003\041\000'
    decoded "$public_key" | bytes 10 32
  } >"$work/key"
  decoded "$signature" | bytes 10 64 >"$work/signature"
  openssl dgst -blake2b512 -binary <"$1" >"$work/hash" || return 1
  openssl_accepts "$work/hash" "$work/signature" || return 1
  {
    cat "$work/signature"
    printf '%s' "$comment"
  } >"$work/commented"
  decoded "$(sed -n 4p "$1.minisig")" >"$work/signature"
  openssl_accepts "$work/commented" "$work/signature"
}

openssl_accepts() {
  openssl pkeyutl -verify -pubin -keyform DER -inkey "$work/key" -rawin -in "$1" -sigfile "$2" >/dev/null 2>&1
}

check_signature() {
  if [ -z "$public_key" ]; then
    say 'Signature not checked: no public key (give one with --public-key FILE).'
    return
  fi
  if has minisign; then
    tool=minisign
  elif openssl_can; then
    tool=openssl
  elif [ -n "$key_must_be_used" ]; then
    fail 'The signature cannot be checked: this needs minisign, or OpenSSL 3.'
  else
    say 'Signature not checked: this needs minisign or OpenSSL 3.'
    return
  fi
  fetch SHA256SUMS.minisig || fail "There is no SHA256SUMS.minisig in $from: the release is not signed."
  if [ "$tool" = minisign ]; then
    minisign -Vqm "$work/SHA256SUMS" -P "$public_key" </dev/null >/dev/null 2>&1
  else
    openssl_verifies "$work/SHA256SUMS"
  fi || fail 'The signature of SHA256SUMS is wrong: it was not made with this public key, or the file was changed.'
  say "The signature of SHA256SUMS is right, by $tool."
}

# The name of the archive, from SHA256SUMS; and the version, where none was asked for.
find_archive() {
  there=$(sed -n "s/^[0-9a-f]\{64\} [ *]iiot-\([0-9A-Za-z.+-]*\)-$system-$cpu\.tar\.gz\$/\1/p" "$work/SHA256SUMS" | paste -s -d ' ' -)
  if [ -z "$version" ]; then
    case $there in
      '') fail "SHA256SUMS in $from has no iiot for $system-$cpu." ;;
      *[!0-9A-Za-z.+-]*) fail "SHA256SUMS in $from has several versions." 'Say which one: --version V' ;;
    esac
    version=$there
    if is_ours "$program"; then
      was=$(readlink "$program")
      was=${was#"$releases"/}
      was=${was%/*}
      was=${was%.*}
      if is_older "$version" "$was"; then
        fail "$from has iiot $version, which is older than $was, the installed one." "To go back to it: --version $version"
      fi
    fi
  fi
  name=iiot-$version-$system-$cpu
  sum=$(awk -v name="$name.tar.gz" '$2 == name || $2 == "*" name { print $1 }' "$work/SHA256SUMS")
  case $sum in
    '') fail "SHA256SUMS in $from has no $name.tar.gz${there:+; it has $there}." ;;
    *[!0-9a-f]*) fail "SHA256SUMS in $from does not have exactly one sum for $name.tar.gz." ;;
  esac
}

# As semver orders them: a pre-release before its release, numbers by their value and before words, fewer fields before more.
is_older() {
  printf '%s %s\n' "$1" "$2" | LC_ALL=C awk '
    function is_number(field) { return field ~ /^[0-9]+$/ }
    {
      gsub(/[+][^ ]*/, "")
      split($1, one, /[-.]/)
      split($2, other, /[-.]/)
      for (i = 1; i <= 3; i++) if (one[i] + 0 != other[i] + 0) exit (one[i] + 0 > other[i] + 0)
      n = sub(/^[^-]*-/, "", $1) ? split($1, one, ".") : 0
      m = sub(/^[^-]*-/, "", $2) ? split($2, other, ".") : 0
      if (!n || !m) exit !(n && !m)
      for (i = 1; i <= n && i <= m; i++) {
        if (one[i] "" == other[i] "") continue
        if (is_number(one[i]) != is_number(other[i])) exit is_number(other[i])
        exit (is_number(one[i]) ? one[i] + 0 > other[i] + 0 : one[i] "" > other[i] "")
      }
      exit !(n < m)
    }'
}

check_archive() {
  fetch "$name.tar.gz" || fail "Cannot get $name.tar.gz from $from."
  actual=$(sha256_of "$work/$name.tar.gz")
  [ -n "$actual" ] || exit 1
  [ "$actual" = "$sum" ] ||
    fail "The SHA-256 of $name.tar.gz is $actual, but SHA256SUMS says $sum." 'The download was cut or changed: try again, and do not use the file if it happens twice'
  say "The SHA-256 of $name.tar.gz is right."
}

unpack() {
  (umask 022 && cd "$work" && tar -xzof "$name.tar.gz" </dev/null) || fail "Cannot unpack $name.tar.gz in $prefix."
  new=$work/$name
  if [ ! -f "$new/iiot" ] || [ ! -x "$new/iiot" ]; then fail "$name.tar.gz has no program in it."; fi
  if [ "$system" = darwin ] && has codesign; then
    # Building a single file removes Node's own signature, and Apple's chips run nothing unsigned.
    codesign --force --sign - "$new/iiot" </dev/null 2>/dev/null || fail "codesign cannot sign $name for this Mac."
  fi
}

# The packages that have the missing libraries, as this distribution installs them.
packages_for() {
  # shellcheck disable=SC1091
  likes=$([ ! -r /etc/os-release ] || { . /etc/os-release && printf '%s' " ${ID:-} ${ID_LIKE:-} "; })
  case $likes in
    *' debian '* | *' ubuntu '*) install='apt-get install' names='libatomic1 libstdc++6 libgcc-s1' ;;
    *' fedora '* | *' rhel '* | *' centos '*) install='dnf install' names='libatomic libstdc++ libgcc' ;;
    *suse*) install='zypper install' names='libatomic1 libstdc++6 libgcc_s1' ;;
    *' arch '*) install='pacman -S' names='gcc-libs gcc-libs gcc-libs' ;;
    *) return ;;
  esac
  # shellcheck disable=SC2086
  set -- $names
  packages=''
  case $missing in *libatomic.so*) packages=" $1" ;; esac
  case $missing in *libstdc++.so*) packages="$packages $2" ;; esac
  case $missing in *libgcc_s.so*) packages="$packages $3" ;; esac
  if [ -n "$packages" ]; then printf '%s' "Install them first: $install$packages"; fi
}

check_start() {
  if [ "$system" = linux ] && has ldd; then
    found=$(ldd "$new/iiot" 2>&1 || :)
    missing=$(printf '%s\n' "$found" | sed -n 's/^[[:space:]]*\([^ ]*\) => not found.*/\1/p' | sort -u | tr '\n' ' ')
    older=$(printf '%s\n' "$found" | sed -n "s/.*version \`\([A-Z]*_[0-9.]*\)' not found.*/\1/p" | sort -u | tr '\n' ' ')
    if [ -n "$missing" ]; then
      hint=$(packages_for)
      fail "iiot $version needs libraries that this system does not have: ${missing% }." "${hint:-Install the packages that have them, then try again}"
    fi
    if [ -n "$older" ]; then fail "This system is too old for iiot $version, which needs ${older% }."; fi
  fi
  says=$("$new/iiot" --version </dev/null 2>&1) || fail "iiot $version does not start here: $says"
  [ "$says" = "$version" ] || fail "$name.tar.gz has iiot $says in it, not $version."
}

# In one rename, so that a link is the old one or the new one; never over what is not ours.
link() {
  if [ -e "$2" ] || [ -L "$2" ]; then is_ours "$2" || return 1; fi
  folder "$(dirname "$2")" && ln -s "$1" "$2.$mark" 2>/dev/null && mv -f "$2.$mark" "$2" 2>/dev/null && return
  rm -f "$2.$mark" 2>/dev/null
  return 1
}

put_in_place() {
  before=''
  if is_ours "$program"; then before=$(dirname "$(readlink "$program")"); fi
  mark=${work##*.}
  placed=$releases/$version.$mark
  mv "$new" "$placed" || fail "Cannot write to $prefix."
  link "$placed/iiot" "$program" || fail "Cannot write $program."
}

# Links to what the release has beside the program. Without them it works as well.
link_texts() {
  unlinked=''
  for page in "$placed"/man/*.1; do
    [ ! -f "$page" ] || link "$page" "$prefix/share/man/man1/${page##*/}" || unlinked=yes
  done
  for pair in iiot.bash:bash-completion/completions/iiot _iiot:zsh/site-functions/_iiot iiot.fish:fish/vendor_completions.d/iiot.fish; do
    file=$placed/completions/${pair%%:*}
    [ ! -f "$file" ] || link "$file" "$prefix/share/${pair#*:}" || unlinked=yes
  done
  if [ -n "$unlinked" ]; then say "Not every man page and completion could be linked into $prefix/share."; fi
}

text_links() {
  for each in "$prefix"/share/man/man1/iiot*.1 "$prefix/share/bash-completion/completions/iiot" \
    "$prefix/share/zsh/site-functions/_iiot" "$prefix/share/fish/vendor_completions.d/iiot.fish"; do
    if is_ours "$each"; then printf '%s\n' "$each"; fi
  done
}

remove_before() {
  case $before in "$releases"/?*) ;; *) return 0 ;; esac
  [ "$before" != "$placed" ] || return 0
  rm -rf "$before"
  text_links | while IFS= read -r each; do [ -e "$each" ] || rm -f "$each"; done
}

report() {
  was=${before##*/}
  was=${was%.*}
  if [ -n "$was" ] && [ "$was" != "$version" ]; then was=" in place of $was"; else was=''; fi
  say "Installed iiot $version$was: $program"
  case :$PATH: in
    *":$prefix/bin:"*)
      first=$(command -v iiot || :)
      if [ "$first" != "$program" ]; then say "But \`iiot\` is $first, which comes first in PATH."; fi
      ;;
    *) say "$prefix/bin is not in PATH. Add this line to the file that your shell reads: export PATH=\"$prefix/bin:\$PATH\"" ;;
  esac
}

remove() {
  if ! is_ours "$program" && [ ! -d "$releases" ]; then fail "This script has installed nothing in $prefix."; fi
  if [ -e "$releases/installed-as" ]; then fail "A package of the system has installed iiot in $prefix." 'Remove it with what has installed it: apt, dpkg, dnf or rpm'; fi
  text_links | while IFS= read -r each; do rm -f "$each"; done
  if is_ours "$program"; then rm -f "$program" || fail "Cannot remove $program."; fi
  rm -rf "$releases" || fail "Cannot remove $releases."
  for each in man/man1 man bash-completion/completions bash-completion zsh/site-functions zsh fish/vendor_completions.d fish; do
    rmdir "$prefix/share/$each" 2>/dev/null || :
  done
  rmdir "$prefix/share" "$prefix/lib" "$prefix/bin" 2>/dev/null || :
  say "Removed iiot from $prefix. Settings and logins are kept."
}

main() {
  work='' placed='' made=''
  read_line "$@"
  if [ -n "$uninstall" ]; then
    remove
    exit
  fi
  find_system
  find_key
  find_source
  trap clean_up EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  make_workplace
  fetch SHA256SUMS || fail "Cannot get SHA256SUMS from $from."
  check_signature
  find_archive
  check_archive
  unpack
  check_start
  put_in_place
  link_texts
  remove_before
  report
}

# The last line: a script that was cut on its way through a pipe does nothing.
main "$@"
