import { aliases } from '../program.ts';
import type { Candidate, Choosable, Grammar, Place } from './grammar.ts';
import { argumentSpecs, type SpecRule, specRules } from './spec.ts';

/** The completions of fish, 3.0 and newer: a file for its completions folder, or for `source`. */
export function fishScript(grammar: Grammar): string {
  return `# iiot: completions for fish, written from the definitions of the commands by: npm run texts

# Sets what may follow the words of $argv; false where they lead nowhere.
function __iiot_place --no-scope-shadowing
    set words
    set options
    set arguments
    set repeated ''
    switch "$argv[1]"
${grammar.places.map(placeLines).join('\n')}
        case '*'
            return 1
    end
end

# Sets spec to what completes the value of an option behind some words; false for a switch.
function __iiot_spec --no-scope-shadowing
    set spec ''
    switch "$argv[1]:$argv[2]"
${specRules(grammar).map(ruleLines).join('\n')}
        case '*'
            return 1
    end
end
${walk(grammar.global.flatMap(optionItems))}${offer}
complete -c iiot -e
complete -c iiot -f -a '(__iiot_complete)'
`;
}

function placeLines({ path, words, options, repeated, ...place }: Place): string {
  const set = (name: string, items: readonly string[]) =>
    items.length === 0 ? [] : [`            set ${name} ${items.map(quoted).join(' ')}`];
  return [
    `        case ${quoted(path)}`,
    ...set('words', words.map(item)),
    ...set('options', options.flatMap(optionItems)),
    ...set('arguments', argumentSpecs(place)),
    ...(repeated ? ['            set repeated 1'] : []),
    ...(words.length + options.length + place.arguments.length === 0 ? ['            true'] : []),
  ].join('\n');
}

function item({ word, says }: Candidate): string {
  return `${word}\t${says}`;
}

function optionItems({ words, says }: Choosable): readonly string[] {
  return words.map((word) => item({ word, says }));
}

function ruleLines({ path, words, spec }: SpecRule): string {
  const where = words.map((word) => quoted(`${path ?? '*'}:${word}`)).join(' ');
  return `        case ${where}\n            ${spec === undefined ? 'return 1' : `set spec ${quoted(spec)}`}`;
}

/** fish reads \\ and \\' inside of single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

const alias = Object.entries(aliases)
  .map(([word, short]) => `                case ${short}\n                    set word ${word}`)
  .join('\n');

const walk = (globalItems: readonly string[]) => `
function __iiot_complete
    set -l given (commandline -opc)
    set -l current (commandline -ct)
    set -l program $given[1]
    set -e given[1]
    set -l words
    set -l options
    set -l arguments
    set -l repeated ''
    set -l spec ''
    set -l path ''
    set -l pending ''
    set -l ended ''
    set -l position 1
    for token in $given
        if test -n "$pending"
            set pending ''
        else if test -n "$ended"
            set position (math $position + 1)
        else if test "$token" = --
            set ended 1
        else if string match -q -- '--*=*' $token
            true
        else if string match -q -- '-?*' $token
            __iiot_spec "$path" $token; and set pending $token
        else
            set -l word $token
            switch $word
${alias}
            end
            set -l further (string trim -- "$path $word")
            if test $position -eq 1; and __iiot_place "$further"
                set path $further
            else
                set position (math $position + 1)
            end
        end
    end
    __iiot_place "$path"
    if test -n "$pending"
        __iiot_spec "$path" $pending; and __iiot_offer '' "$current"
    else if test -z "$ended"; and string match -q -- '--*=*' $current
        set -l parts (string split -m 1 = -- $current)
        __iiot_spec "$path" $parts[1]; and __iiot_offer "$parts[1]=" "$parts[2]"
    else if test -z "$ended"; and string match -q -- '-*' $current
        printf '%s\\n' $options ${globalItems.map(quoted).join(' ')}
    else
        if test $position -eq 1; and test -z "$ended"; and test (count $words) -gt 0
            printf '%s\\n' $words
        end
        if test $position -gt (count $arguments); and test -n "$repeated"
            set position (count $arguments)
        end
        if test $position -le (count $arguments)
            set spec $arguments[$position]
            __iiot_offer '' "$current"
        end
    end
end
`;

const offer = `
# Prints what the spec gives for a value that begins with the second word, each behind the first.
function __iiot_offer --no-scope-shadowing
    set -l before $argv[1]
    set -l value $argv[2]
    set -l parts (string split ' ' -- $spec)
    switch "$parts[1]"
        case words
            printf "$before%s\\n" $parts[2..-1]
        case list
            set -l head (string replace -r '[^,]*$' '' -- "$value")
            printf '%s\\n' "$before$head"$parts[2..-1]
        case pairs
            for each in $parts[2..-1]
                if not string match -q -- '*=*' "$value"
                    set each (string replace -r '=.*' '=' -- $each)
                end
                printf '%s\\n' "$before$each"
            end
        case file
            for each in (__fish_complete_path "$value")
                printf '%s\\n' "$before$each"
            end
        case command
            __fish_complete_command
        case live
            for each in ($program __complete $parts[2] $given 2>/dev/null)
                printf '%s\\n' "$before$each"
            end
    end
end
`;
