import { aliases } from '../program.ts';
import type { Grammar, Place } from './grammar.ts';
import { argumentSpecs, type SpecRule, specRules } from './spec.ts';

/** The completions of bash, 3.2 and newer: a script for its completion folder, or for `source`. */
export function bashScript(grammar: Grammar): string {
  const optionWords = grammar.global.flatMap(({ words }) => words).join(' ');
  return `# iiot: completions for bash, written from the definitions of the commands by: npm run texts

# Sets words, options and arguments to what may follow the words of $1; false where they lead nowhere.
_iiot_place() {
  words='' options='' repeated='' arguments=()
  case $1 in
${grammar.places.map(placeLines).join('\n')}
    *) return 1 ;;
  esac
}

# Sets spec to what completes the value of option $2 behind the words of $1; false for a switch.
_iiot_spec() {
  spec=''
  case "$1:$2" in
${specRules(grammar).map(ruleLine).join('\n')}
    *) return 1 ;;
  esac
}
${walk(optionWords)}${offer}
complete -F _iiot iiot
`;
}

function placeLines({ path, words, options, repeated, ...place }: Place): string {
  const sets = [
    words.length > 0 && `words='${words.map(({ word }) => word).join(' ')}'`,
    options.length > 0 && `options='${options.flatMap((option) => option.words).join(' ')}'`,
    place.arguments.length > 0 && `arguments=(${argumentSpecs(place).map(quoted).join(' ')})`,
    repeated && 'repeated=1',
  ].filter((each) => each !== false);
  return `    ${quoted(path)}) ${sets.join(' ')} ;;`;
}

function ruleLine({ path, words, spec }: SpecRule): string {
  const where = words.map((word) => (path === undefined ? `*:${word}` : quoted(`${path}:${word}`))).join(' | ');
  return `    ${where}) ${spec === undefined ? 'return 1' : `spec=${quoted(spec)}`} ;;`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const alias = Object.entries(aliases)
  .map(([word, short]) => `        ${short}) word=${word} ;;`)
  .join('\n');

const walk = (globalWords: string) => `
_iiot() {
  local words options repeated arguments spec path='' pending='' ended='' position=0
  local line=\${COMP_LINE:0:COMP_POINT} rest piece token='' current='' cut='' count=0 index
  local tokens
  tokens=()
  # bash has split the line at = and : as well; what stands together is one word.
  for ((index = 0; index <= COMP_CWORD; index++)); do
    piece=\${COMP_WORDS[index]}
    rest=\${line#"\${line%%[![:space:]]*}"}
    ((index == COMP_CWORD)) && piece=$rest
    if ((index > 0)) && [[ $rest == "$line" && -n $rest ]]; then
      tokens[count - 1]+=$piece
    else
      tokens[count]=$piece
      count=$((count + 1))
    fi
    line=\${rest#"$piece"}
  done
  current=\${tokens[count - 1]}
  if [[ $piece == [=:]* ]]; then cut=$current; else cut=\${current%"$piece"}; fi
  for ((index = 1; index < count - 1; index++)); do
    token=\${tokens[index]}
    if [[ -n $pending ]]; then
      pending=''
    elif [[ -n $ended ]]; then
      position=$((position + 1))
    elif [[ $token == -- ]]; then
      ended=1
    elif [[ $token == --*=* ]]; then
      :
    elif [[ $token == -?* ]]; then
      if _iiot_spec "$path" "$token"; then pending=$token; fi
    else
      local word=$token
      case $word in
${alias}
      esac
      if ((position == 0)) && _iiot_place "\${path:+$path }$word"; then
        path="\${path:+$path }$word"
      else
        position=$((position + 1))
      fi
    fi
  done
  _iiot_place "$path"
  COMPREPLY=()
  if [[ -n $pending ]]; then
    _iiot_spec "$path" "$pending" && _iiot_offer '' "$current"
  elif [[ -z $ended && $current == --*=* ]]; then
    _iiot_spec "$path" "\${current%%=*}" && _iiot_offer "\${current%%=*}=" "\${current#*=}"
  elif [[ -z $ended && $current == -* ]]; then
    spec="words $options ${globalWords}"
    _iiot_offer '' "$current"
  else
    spec="words $words"
    if ((position == 0)) && [[ -z $ended && -n $words ]]; then _iiot_offer '' "$current"; fi
    if ((position >= \${#arguments[@]})) && [[ -n $repeated ]]; then position=$((\${#arguments[@]} - 1)); fi
    if ((position < \${#arguments[@]})); then
      spec=\${arguments[position]}
      _iiot_offer '' "$current"
    fi
  fi
  # Only what stands behind the last = or : is replaced.
  for ((index = 0; index < \${#COMPREPLY[@]}; index++)); do
    COMPREPLY[index]=\${COMPREPLY[index]#"$cut"}
  done
}
`;

const offer = `
# Adds to COMPREPLY what the spec gives for a value that begins with $2, each behind $1.
_iiot_offer() {
  local each value=$2 head='' safe quote=''
  case $value in
    [\\"\\']*) quote=\${value:0:1} value=\${value:1} ;;
  esac
  value=\${value//\\\\/}
  case $spec in
    'list '*)
      head=\${value%"\${value##*,}"}
      value=\${value##*,}
      for each in \${spec#list }; do
        [[ $each == "$value"* ]] && COMPREPLY+=("$1$head$each")
      done
      compopt -o nospace 2>/dev/null
      ;;
    'words '*)
      for each in \${spec#words }; do
        [[ $each == "$value"* ]] && COMPREPLY+=("$1$each")
      done
      ;;
    'pairs '*)
      for each in \${spec#pairs }; do
        [[ $value == *=* ]] || each=\${each%%=*}=
        [[ $each == "$value"* && " \${COMPREPLY[*]} " != *" $1$each "* ]] && COMPREPLY+=("$1$each")
      done
      [[ $value == *=* ]] || compopt -o nospace 2>/dev/null
      ;;
    file)
      compopt -o filenames 2>/dev/null
      while IFS= read -r each; do COMPREPLY+=("$1$each"); done < <(compgen -f -- "$value")
      ;;
    command)
      while IFS= read -r each; do COMPREPLY+=("$1$each"); done < <(compgen -c -- "$value")
      ;;
    'live '*)
      while IFS= read -r each; do
        each=\${each%%$'\\t'*}
        [[ $each == "$value"* ]] || continue
        if [[ -n $quote ]]; then safe=$each; else printf -v safe %q "$each"; fi
        COMPREPLY+=("$1$safe")
      done < <("\${tokens[0]}" __complete "\${spec#live }" "\${tokens[@]:1:count-2}" 2>/dev/null)
      ;;
  esac
}
`;
