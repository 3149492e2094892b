# iiot: completions for bash, 3.2 and newer. `iiot __complete` knows what may follow, and how to write it here.

_iiot() {
  local line kind='' program=${1/#'~/'/"$HOME/"}
  COMPREPLY=()
  # An alias, or a path that only the line expands.
  type -P -- "$program" >/dev/null || program=iiot
  while IFS= read -r line; do
    if [[ -z $kind ]]; then kind=$line; else COMPREPLY+=("$line"); fi
  done < <("$program" __complete bash "${COMP_LINE:0:COMP_POINT}" "${COMP_LINE:COMP_POINT}" "$2" </dev/null 2>/dev/null)
  case $kind in
    open) compopt -o nospace ;;
    # What readline has found by itself, it quotes by itself.
    file) compopt -o default ;;
    command)
      line=${COMPREPLY[0]}
      COMPREPLY=()
      while IFS= read -r line; do
        [[ $line == *[!A-Za-z0-9_./+-]* ]] || COMPREPLY+=("$line")
      done < <(compgen -c -- "$line")
      ;;
  esac 2>/dev/null
  # Files are sorted as for every other command.
  [[ $kind == file ]] || compopt -o nosort 2>/dev/null
}

# bash 3.2 cannot ask for names of files when it needs them.
if type compopt &>/dev/null; then complete -F _iiot iiot; else complete -o default -F _iiot iiot; fi
