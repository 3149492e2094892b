import { aliases } from '../program.ts';
import type { Candidate, Choosable, Grammar, Place } from './grammar.ts';
import { argumentSpecs, type SpecRule, specRules } from './spec.ts';

/** The completions of zsh: a file `_iiot` for its fpath, or for `source`. */
export function zshScript(grammar: Grammar): string {
  return `#compdef iiot
# iiot: completions for zsh, written from the definitions of the commands by: npm run texts

# Sets what may follow the words of $1; false where they lead nowhere.
_iiot_place() {
  iiot_words=() iiot_options=() iiot_arguments=() iiot_repeated=
  case $1 in
${grammar.places.map(placeLines).join('\n')}
    (*) return 1 ;;
  esac
}

# Sets iiot_spec to what completes the value of option $2 behind the words of $1; false for a switch.
_iiot_spec() {
  iiot_spec=
  case "$1:$2" in
${specRules(grammar).map(ruleLine).join('\n')}
    (*) return 1 ;;
  esac
}

_iiot_global=(
${grammar.global.flatMap(optionItems).map(line).join('\n')}
)
${walk}${offer}
if [ "\${funcstack[1]}" = _iiot ]; then
  _iiot "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
  compdef _iiot iiot
fi
`;
}

function placeLines({ path, words, options, repeated, ...place }: Place): string {
  const array = (name: string, items: readonly string[]) =>
    items.length === 0 ? [] : [`      ${name}=(`, ...items.map((item) => `  ${line(item)}`), '      )'];
  return [
    `    (${quoted(path)})`,
    ...array('iiot_words', words.map(item)),
    ...array('iiot_options', options.flatMap(optionItems)),
    ...array('iiot_arguments', argumentSpecs(place)),
    ...(repeated ? ['      iiot_repeated=1'] : []),
    '      ;;',
  ].join('\n');
}

function item({ word, says }: Candidate): string {
  return `${word.replaceAll(':', '\\:')}:${says}`;
}

function optionItems({ words, says }: Choosable): readonly string[] {
  return words.map((word) => item({ word, says }));
}

function line(text: string): string {
  return `      ${quoted(text)}`;
}

function ruleLine({ path, words, spec }: SpecRule): string {
  const where = words.map((word) => (path === undefined ? `*:${word}` : quoted(`${path}:${word}`))).join('|');
  return `    (${where}) ${spec === undefined ? 'return 1' : `iiot_spec=${quoted(spec)}`} ;;`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const alias = Object.entries(aliases)
  .map(([word, short]) => `        (${short}) word=${word} ;;`)
  .join('\n');

const walk = `
_iiot() {
  local -a iiot_words iiot_options iiot_arguments iiot_given
  local iiot_repeated iiot_spec iiot_path= pending= ended= token word position=0
  iiot_given=("\${(@Q)words[2,CURRENT-1]}")
  for token in "\${iiot_given[@]}"; do
    if [[ -n $pending ]]; then
      pending=
    elif [[ -n $ended ]]; then
      (( position += 1 ))
    elif [[ $token == -- ]]; then
      ended=1
    elif [[ $token == --*=* ]]; then
      :
    elif [[ $token == -?* ]]; then
      if _iiot_spec "$iiot_path" "$token"; then pending=$token; fi
    else
      word=$token
      case $word in
${alias}
      esac
      if (( position == 0 )) && _iiot_place "\${iiot_path:+$iiot_path }$word"; then
        iiot_path="\${iiot_path:+$iiot_path }$word"
      else
        (( position += 1 ))
      fi
    fi
  done
  _iiot_place "$iiot_path"
  if [[ -n $pending ]]; then
    _iiot_spec "$iiot_path" "$pending" && _iiot_offer
  elif [[ -z $ended && $PREFIX == --*=* ]]; then
    _iiot_spec "$iiot_path" "\${PREFIX%%=*}" && compset -P 1 '*=' && _iiot_offer
  elif [[ -z $ended && $PREFIX == -* ]]; then
    iiot_options+=("\${_iiot_global[@]}")
    _describe -o option iiot_options
  else
    if (( position == 0 && $#iiot_words > 0 )) && [[ -z $ended ]]; then _describe command iiot_words; fi
    if (( position >= $#iiot_arguments )) && [[ -n $iiot_repeated ]]; then position=$(( $#iiot_arguments - 1 )); fi
    if (( position < $#iiot_arguments )); then
      iiot_spec=$iiot_arguments[position+1]
      _iiot_offer
    fi
  fi
}
`;

const offer = `
# Offers what iiot_spec gives for the value under the cursor.
_iiot_offer() {
  local -a found lines
  local each value label
  case $iiot_spec in
    ('words '*) compadd -- \${=iiot_spec#words } ;;
    ('list '*)
      compset -P '*,'
      compadd -S '' -- \${=iiot_spec#list }
      ;;
    ('pairs '*)
      found=(\${=iiot_spec#pairs })
      if compset -P 1 '*='; then
        found=(\${(M)found:#$IPREFIX*})
        compadd -- \${\${found#*=}:#}
      else
        found=(\${found%%=*})
        compadd -S = -- \${(u)found}
      fi
      ;;
    (file) _files ;;
    (command) _command_names -e ;;
    ('live '*)
      lines=("\${(@f)$("\${(Q)words[1]}" __complete "\${iiot_spec#live }" "\${iiot_given[@]}" 2>/dev/null)}")
      for each in "\${lines[@]}"; do
        [[ -n $each ]] || continue
        value=\${each%%$'\\t'*} label=\${each#*$'\\t'}
        found+=("\${value//:/\\\\:}:$label")
      done
      _describe "\${iiot_spec#live }" found
      ;;
  esac
}
`;
