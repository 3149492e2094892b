/** The completions of zsh: a file `_iiot` for its fpath, or for `source`. */
export const zshScript = `#compdef iiot
# iiot: completions for zsh. \`iiot __complete\` knows what may follow; zsh quotes it.

_iiot() {
  local -a given answer values shown how
  local value text
  given=("\${(@Q)words[1,CURRENT-1]}")
  answer=("\${(@0)$("$given[1]" __complete zsh "\${(@)given[2,-1]}" "\${(Q)PREFIX}" </dev/null 2>/dev/null)}")
  case $answer[2] in
    (=) compset -P 1 '*=' ;;
    (,) compset -P '*,' ;;
  esac
  case $answer[1] in
    (file) _files; return ;;
    (command) _command_names -e; return ;;
    (rows*) how=(-l) ;;
  esac
  [[ $answer[1] == *open ]] && how+=(-S '')
  for value text in "\${(@)answer[3,-2]}"; do
    # Backquotes take a backslash away, and zsh does not count with it.
    [[ $PREBUFFER$LBUFFER == *\\\`* && $value == *[^A-Za-z0-9_./:=,@+-]* ]] && continue
    values+=("$value") shown+=("\${text[1,COLUMNS-1]}")
  done
  compadd -V iiot "\${how[@]}" -d shown -a values
}

if [[ $funcstack[1] == _iiot ]]; then
  _iiot "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
  compdef _iiot iiot
fi
`;
