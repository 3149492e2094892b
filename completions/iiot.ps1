# iiot: completions for PowerShell, 5.1 and newer. `iiot __complete` knows what may follow, and how to write it here.

Register-ArgumentCompleter -Native -CommandName iiot -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)

  $before = @($commandAst.CommandElements | Where-Object {
      $_.Extent.EndOffset -lt $cursorPosition -or ($wordToComplete -eq '' -and $_.Extent.EndOffset -le $cursorPosition)
    } | ForEach-Object {
      if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.ToString() }
    })
  $program = Get-Command -Name $before[0], 'iiot' -ErrorAction Ignore | Select-Object -First 1
  $request = @{
    words = @($before | Select-Object -Skip 1)
    current = "$wordToComplete"
    passing = "$PSNativeCommandArgumentPassing"
    batch = "$($program.Source)" -match '\.(cmd|bat)$'
  }
  # Neither quotes on their way to a program nor letters on their way back are safe from PowerShell.
  $bytes = [System.Text.Encoding]::UTF8.GetBytes((ConvertTo-Json -Compress -InputObject $request))
  $answer = & $program __complete powershell ([Convert]::ToBase64String($bytes)) 2>$null | ConvertFrom-Json
  switch ("$($answer.kind)") {
    'file' {
      foreach ($each in [System.Management.Automation.CompletionCompleters]::CompleteFilename("$($answer.value)")) {
        [System.Management.Automation.CompletionResult]::new("$($answer.before)$($each.CompletionText)", $each.ListItemText, $each.ResultType, $each.ToolTip)
      }
    }
    'command' { [System.Management.Automation.CompletionCompleters]::CompleteCommand("$($answer.value)") }
    'words' {
      foreach ($each in $answer.values) {
        [System.Management.Automation.CompletionResult]::new($each.text, $each.list, 'ParameterValue', $each.says)
      }
    }
  }
}
