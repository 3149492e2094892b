import { aliases } from '../program.ts';
import type { Candidate, Choosable, Grammar, Place } from './grammar.ts';
import { argumentSpecs, type SpecRule, specRules } from './spec.ts';

/** The completions of PowerShell, 5.1 and newer: a script for the profile. */
export function powershellScript(grammar: Grammar): string {
  return `# iiot: completions for PowerShell, written from the definitions of the commands by: npm run texts

Register-ArgumentCompleter -Native -CommandName iiot -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)

  # What may follow the words of a command line.
  $places = @{
${grammar.places.map(placeLines).join('\n')}
  }
  # What follows an option: the first rule that holds; a spec of $null is a switch.
  $rules = @(
${specRules(grammar).map(ruleLine).join('\n')}
  )
  $global = @(
${grammar.global.flatMap(optionItems).map(pair).join('\n')}
  )
${walk}}
`;
}

function placeLines({ path, words, options, repeated, ...place }: Place): string {
  return [
    `    ${quoted(path)} = @{`,
    `      Words = @(${words.map(inline).join(', ')})`,
    `      Options = @(${options.flatMap(optionItems).map(inline).join(', ')})`,
    `      Arguments = @(${argumentSpecs(place).map(quoted).join(', ')})`,
    `      Repeated = ${repeated ? '$true' : '$false'}`,
    '    }',
  ].join('\n');
}

function optionItems({ words, says }: Choosable): readonly Candidate[] {
  return words.map((word) => ({ word, says }));
}

function inline({ word, says }: Candidate): string {
  return `@{ Word = ${quoted(word)}; Says = ${quoted(says)} }`;
}

function pair(candidate: Candidate): string {
  return `    ${inline(candidate)}`;
}

function ruleLine({ path, words, spec }: SpecRule): string {
  const where = path === undefined ? '$null' : quoted(path);
  const value = spec === undefined ? '$null' : quoted(spec);
  return `    @{ Path = ${where}; Words = @(${words.map(quoted).join(', ')}); Spec = ${value} }`;
}

/** PowerShell also takes typographic apostrophes for quotes. */
function quoted(text: string): string {
  return `'${text.replace(/['\u2018\u2019\u201a\u201b]/g, '$&$&')}'`;
}

const alias = Object.entries(aliases)
  .map(([word, short]) => `${quoted(short)} = ${quoted(word)}`)
  .join('; ');

const walk = `  $aliases = @{ ${alias} }
  function Find-Spec([string] $path, [string] $option) {
    foreach ($rule in $rules) {
      if (($null -eq $rule.Path -or $rule.Path -ceq $path) -and $rule.Words -ccontains $option) { return $rule }
    }
  }
  function Show-Candidate([string] $text, [string] $says) {
    if (-not $text.StartsWith($wordToComplete, [StringComparison]::OrdinalIgnoreCase)) { return }
    $safe = if ($text -match '[\\s''"\`$;|&(){}<>@#]') { "'" + $text.Replace("'", "''") + "'" } else { $text }
    if ([string]::IsNullOrEmpty($says)) { $says = $text }
    [System.Management.Automation.CompletionResult]::new($safe, $text, 'ParameterValue', $says)
  }
  function Show-Value([string] $spec, [string] $before, [string] $value) {
    $kind, $words = $spec -split ' '
    # One word alone would be a text, whose parts are letters.
    $words = @($words)
    switch -CaseSensitive ($kind) {
      'words' { foreach ($each in $words) { Show-Candidate "$before$each" '' } }
      'list' {
        $head = $value -replace '[^,]*$', ''
        foreach ($each in $words) { Show-Candidate "$before$head$each" '' }
      }
      'pairs' {
        if (-not $value.Contains('=')) { $words = $words -replace '=.*', '=' | Select-Object -Unique }
        foreach ($each in $words) { Show-Candidate "$before$each" '' }
      }
      'file' {
        foreach ($each in [System.Management.Automation.CompletionCompleters]::CompleteFilename($value)) {
          [System.Management.Automation.CompletionResult]::new("$before$($each.CompletionText)", $each.ListItemText, $each.ResultType, $each.ToolTip)
        }
      }
      'command' { [System.Management.Automation.CompletionCompleters]::CompleteCommand($value) }
      'live' {
        foreach ($each in (& $program __complete $words[0] @given 2>$null)) {
          $text, $says = $each -split "\`t", 2
          Show-Candidate "$before$text" $says
        }
      }
    }
  }

  $elements = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition -or ($wordToComplete -eq '' -and $_.Extent.EndOffset -le $cursorPosition) })
  $program = $commandAst.CommandElements[0].ToString()
  $given = @($elements | Select-Object -Skip 1 | ForEach-Object { if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.ToString() } })
  $path = ''
  $pending = $null
  $ended = $false
  $position = 0
  foreach ($token in $given) {
    if ($null -ne $pending) { $pending = $null; continue }
    if ($ended) { $position += 1; continue }
    if ($token -ceq '--') { $ended = $true; continue }
    if ($token -clike '--*=*') { continue }
    if ($token -clike '-?*') {
      $rule = Find-Spec $path $token
      if ($null -ne $rule -and $null -ne $rule.Spec) { $pending = $rule.Spec }
      continue
    }
    $word = if ($aliases.ContainsKey($token)) { $aliases[$token] } else { $token }
    $further = "$path $word".Trim()
    if ($position -eq 0 -and $places.ContainsKey($further)) { $path = $further } else { $position += 1 }
  }
  $place = $places[$path]
  if ($null -ne $pending) { Show-Value $pending '' $wordToComplete; return }
  if (-not $ended -and $wordToComplete -clike '--*=*') {
    $option, $value = $wordToComplete -split '=', 2
    $rule = Find-Spec $path $option
    if ($null -ne $rule -and $null -ne $rule.Spec) { Show-Value $rule.Spec "$option=" $value }
    return
  }
  if (-not $ended -and $wordToComplete -clike '-*') {
    foreach ($each in $place.Options + $global) { Show-Candidate $each.Word $each.Says }
    return
  }
  if ($position -eq 0 -and -not $ended) { foreach ($each in $place.Words) { Show-Candidate $each.Word $each.Says } }
  $specs = @($place.Arguments)
  if ($position -ge $specs.Count -and $place.Repeated) { $position = $specs.Count - 1 }
  if ($position -lt $specs.Count) { Show-Value $specs[$position] '' $wordToComplete }
`;
