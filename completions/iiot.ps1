# iiot: completions for PowerShell, written from the definitions of the commands by: npm run texts

Register-ArgumentCompleter -Native -CommandName iiot -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)

  # What may follow the words of a command line.
  $places = @{
    '' = @{
      Words = @(@{ Word = 'login'; Says = 'Log in, and see who is logged in' }, @{ Word = 'logout'; Says = 'Forget the profile''s tokens and secrets' }, @{ Word = 'orgs'; Says = 'Organizations and their users' }, @{ Word = 'devices'; Says = 'Custom information of devices' }, @{ Word = 'policies'; Says = 'Alert policies' }, @{ Word = 'templates'; Says = 'Notification templates' }, @{ Word = 'channels'; Says = 'Notification channels' }, @{ Word = 'batches'; Says = 'Scheduled batches' }, @{ Word = 'credentials'; Says = 'Client credentials of the tenant' }, @{ Word = 'profiles'; Says = 'Where commands talk to, and as whom' }, @{ Word = 'api'; Says = 'Call any operation of the platform' }, @{ Word = 'doctor'; Says = 'What stands between this machine and a working call' }, @{ Word = 'history'; Says = 'What this machine has changed' }, @{ Word = 'sandbox'; Says = 'An embedded platform to try, rehearse and test with' }, @{ Word = 'mcp'; Says = 'The commands as tools for agents, over stdio' }, @{ Word = 'completion'; Says = 'Completions for bash, zsh, fish and PowerShell' }, @{ Word = 'help'; Says = 'Help on a command or a topic' })
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'login' = @{
      Words = @(@{ Word = 'm2m'; Says = 'Log in as a machine, with a client credential' }, @{ Word = 'status'; Says = 'Show who is logged in, where, and for how long' }, @{ Word = 'token'; Says = 'Print a valid access token' }, @{ Word = 'refresh'; Says = 'Renew the login now' })
      Options = @(@{ Word = '--tenant'; Says = 'Path segment of the tenant' }, @{ Word = '--app'; Says = 'Path segment of the application' }, @{ Word = '--account'; Says = 'E-mail of the account' }, @{ Word = '--password-stdin'; Says = 'Read the password from standard input' })
      Arguments = @()
      Repeated = $false
    }
    'login m2m' = @{
      Words = @()
      Options = @(@{ Word = '--client-id'; Says = 'Client id' }, @{ Word = '--client-secret-stdin'; Says = 'Read the client secret from standard input' })
      Arguments = @()
      Repeated = $false
    }
    'login status' = @{
      Words = @()
      Options = @(@{ Word = '--check'; Says = 'Ask the platform' })
      Arguments = @()
      Repeated = $false
    }
    'login token' = @{
      Words = @()
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'login refresh' = @{
      Words = @()
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'logout' = @{
      Words = @()
      Options = @(@{ Word = '--all'; Says = 'Of every profile' })
      Arguments = @()
      Repeated = $false
    }
    'orgs' = @{
      Words = @(@{ Word = 'users'; Says = 'Users of an organization' }, @{ Word = 'delete'; Says = 'Delete an organization' })
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'orgs users' = @{
      Words = @(@{ Word = 'list'; Says = 'List the users of an organization' })
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'orgs users list' = @{
      Words = @()
      Options = @(@{ Word = '--skip'; Says = 'Users to skip' }, @{ Word = '--page-size'; Says = 'Users to ask for at a time' }, @{ Word = '--role'; Says = 'Only users with this role' }, @{ Word = '--name'; Says = 'Only users whose name contains this' }, @{ Word = '--sort'; Says = 'Sort by name, orgRole or userId; asc unless told desc' }, @{ Word = '--limit'; Says = 'How many in all' }, @{ Word = '--all'; Says = 'Every one' })
      Arguments = @()
      Repeated = $false
    }
    'orgs delete' = @{
      Words = @()
      Options = @(@{ Word = '--org-name'; Says = 'The organization''s exact name, instead of typing it; --yes does not stand in for it' }, @{ Word = '--dry-run'; Says = 'Check, print the request and a curl line, send nothing' })
      Arguments = @('live organizations')
      Repeated = $false
    }
    'devices' = @{
      Words = @(@{ Word = 'custom-info'; Says = 'Keys and values of a device' })
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'devices custom-info' = @{
      Words = @(@{ Word = 'set'; Says = 'Set keys of a device''s custom information' }, @{ Word = 'import'; Says = 'Set custom information of a fleet from a file' })
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'devices custom-info set' = @{
      Words = @()
      Options = @(@{ Word = '--body-file'; Says = 'The whole body as JSON, instead of its options; - is standard input' }, @{ Word = '--null'; Says = 'Key whose value becomes null' }, @{ Word = '--from-file'; Says = 'JSON object of keys and values; - is standard input' }, @{ Word = '--dry-run'; Says = 'Check, print the request and a curl line, send nothing' })
      Arguments = @('live devices', '')
      Repeated = $true
    }
    'devices custom-info import' = @{
      Words = @()
      Options = @(@{ Word = '--body-file'; Says = 'The whole body as JSON, instead of its options; - is standard input' }, @{ Word = '--format'; Says = 'By default from the name' }, @{ Word = '--null-as'; Says = 'Cell of a CSV file that means null' }, @{ Word = '--concurrency'; Says = 'Requests under way, 16 unless told' }, @{ Word = '--rate'; Says = 'Requests a second, as many as go unless told' }, @{ Word = '--journal'; Says = 'Where to record what is done; needed for standard input' }, @{ Word = '--resume'; Says = 'Go on where the journal ends; without a journal, begin' }, @{ Word = '--on-error'; Says = 'continue: send the good rows of a file with bad ones; stop: end at the first row that fails' }, @{ Word = '--failed-to'; Says = 'Write rows that failed here, in the format of the input' }, @{ Word = '--dry-run'; Says = 'Check, print the request and a curl line, send nothing' })
      Arguments = @('file')
      Repeated = $false
    }
    'policies' = @{
      Words = @(@{ Word = 'update'; Says = 'Change some fields of an alert policy' })
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'policies update' = @{
      Words = @()
      Options = @(@{ Word = '--name'; Says = 'New name' }, @{ Word = '--description'; Says = 'New description' }, @{ Word = '--alert-level'; Says = 'Trigger threshold, ">80" for example' }, @{ Word = '--alert-reset-level'; Says = 'Reset threshold, "<75" for example' }, @{ Word = '--delay'; Says = 'Debounce delay in seconds' }, @{ Word = '--channel-id'; Says = 'Notification channel to use' }, @{ Word = '--recipient'; Says = 'Recipient' }, @{ Word = '--template-id'; Says = 'Template, used with variables' }, @{ Word = '--var'; Says = 'Variable for the template' }, @{ Word = '--subject'; Says = 'Inline subject, used with content' }, @{ Word = '--content'; Says = 'Inline body, used with subject' }, @{ Word = '--body-file'; Says = 'The whole body as JSON, instead of its options; - is standard input' }, @{ Word = '--content-file'; Says = 'File with the inline body; - is standard input' }, @{ Word = '--notification-file'; Says = 'JSON file with the whole notification; - is standard input' }, @{ Word = '--dry-run'; Says = 'Check, print the request and a curl line, send nothing' })
      Arguments = @('live policies')
      Repeated = $false
    }
    'templates' = @{
      Words = @(@{ Word = 'list'; Says = 'List the notification templates' }, @{ Word = 'update'; Says = 'Change some fields of a notification template' })
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'templates list' = @{
      Words = @()
      Options = @(@{ Word = '--skip'; Says = 'Templates to skip' }, @{ Word = '--page-size'; Says = 'Templates to ask for at a time' }, @{ Word = '--name'; Says = 'Only templates with this name' }, @{ Word = '--channel-type'; Says = 'Only templates for this type' }, @{ Word = '--tag'; Says = 'Only templates with this tag' }, @{ Word = '--limit'; Says = 'How many in all' }, @{ Word = '--all'; Says = 'Every one' })
      Arguments = @()
      Repeated = $false
    }
    'templates update' = @{
      Words = @()
      Options = @(@{ Word = '--name'; Says = 'New name' }, @{ Word = '--subject'; Says = 'New subject; only email uses it' }, @{ Word = '--content'; Says = 'New text; may contain template variables' }, @{ Word = '--channel-type'; Says = 'Channel type it is for; replaces the list' }, @{ Word = '--tag'; Says = 'Tag; replaces the list' }, @{ Word = '--body-file'; Says = 'The whole body as JSON, instead of its options; - is standard input' }, @{ Word = '--content-file'; Says = 'File with the new text; - is standard input' }, @{ Word = '--clear-tags'; Says = 'Leave it without tags' }, @{ Word = '--clear-channel-types'; Says = 'Leave it without channel types' }, @{ Word = '--dry-run'; Says = 'Check, print the request and a curl line, send nothing' })
      Arguments = @('live templates')
      Repeated = $false
    }
    'channels' = @{
      Words = @(@{ Word = 'update'; Says = 'Change some fields of a notification channel' })
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'channels update' = @{
      Words = @()
      Options = @(@{ Word = '--name'; Says = 'New name' }, @{ Word = '--channel-type'; Says = 'New type' }, @{ Word = '--description'; Says = 'New description' }, @{ Word = '--enable'; Says = 'Enable the channel' }, @{ Word = '--disable'; Says = 'Enable the channel' }, @{ Word = '--settings-timeout'; Says = 'Timeout, in the unit of the platform' }, @{ Word = '--settings-retry-attempts'; Says = 'Retry attempts' }, @{ Word = '--settings-retry-delay'; Says = 'Delay between them, in the unit of the platform' }, @{ Word = '--config-file'; Says = 'Configuration of the channel type, a JSON file; - is standard input' }, @{ Word = '--template-id'; Says = 'Template' }, @{ Word = '--recipient'; Says = 'Default recipient; replaces the list' }, @{ Word = '--tag'; Says = 'Tag; replaces the list' }, @{ Word = '--body-file'; Says = 'The whole body as JSON, instead of its options; - is standard input' }, @{ Word = '--clear-recipients'; Says = 'Leave it without default recipients' }, @{ Word = '--clear-tags'; Says = 'Leave it without tags' }, @{ Word = '--dry-run'; Says = 'Check, print the request and a curl line, send nothing' })
      Arguments = @('live channels')
      Repeated = $false
    }
    'batches' = @{
      Words = @(@{ Word = 'create'; Says = 'Create a scheduled batch' }, @{ Word = 'cron'; Says = 'Say a Quartz expression in words, and its next times' })
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'batches create' = @{
      Words = @()
      Options = @(@{ Word = '--name'; Says = 'Name, unique' }, @{ Word = '--cron'; Says = 'Quartz cron expression: seconds first, six or seven parts' }, @{ Word = '--enabled'; Says = 'Whether the batch is enabled' }, @{ Word = '--disabled'; Says = 'Whether the batch is enabled' }, @{ Word = '--run-on-startup'; Says = 'Whether the batch runs on startup' }, @{ Word = '--no-run-on-startup'; Says = 'Whether the batch runs on startup' }, @{ Word = '--actions-file'; Says = 'Batch actions, a JSON file; - is standard input' }, @{ Word = '--body-file'; Says = 'The whole body as JSON, instead of its options; - is standard input' }, @{ Word = '--dry-run'; Says = 'Check, print the request and a curl line, send nothing' })
      Arguments = @()
      Repeated = $false
    }
    'batches cron' = @{
      Words = @()
      Options = @(@{ Word = '--tz'; Says = 'Time zone, Europe/Berlin for example' }, @{ Word = '--count'; Says = 'How many times' })
      Arguments = @('')
      Repeated = $false
    }
    'credentials' = @{
      Words = @(@{ Word = 'create'; Says = 'Create a client credential' }, @{ Word = 'list'; Says = 'List the client credentials of the tenant' }, @{ Word = 'delete'; Says = 'Delete a client credential' }, @{ Word = 'rotate'; Says = 'Replace a client credential by a successor' })
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'credentials create' = @{
      Words = @()
      Options = @(@{ Word = '--name'; Says = 'Name' }, @{ Word = '--scope'; Says = 'Scope' }, @{ Word = '--device-id'; Says = 'Device it is limited to' }, @{ Word = '--body-file'; Says = 'The whole body as JSON, instead of its options; - is standard input' }, @{ Word = '--expires'; Says = 'When it expires: 90d from now, 2027-01-31T00:00:00Z; never, unless told' }, @{ Word = '--secret-file'; Says = 'Write the secret into this new file, readable by you alone, and show it nowhere' }, @{ Word = '--save-profile'; Says = 'Log this profile in with it, and show it nowhere' }, @{ Word = '--force'; Says = 'Replace the file, or the login of the profile, that is there' }, @{ Word = '--dry-run'; Says = 'Check, print the request and a curl line, send nothing' })
      Arguments = @()
      Repeated = $false
    }
    'credentials list' = @{
      Words = @()
      Options = @(@{ Word = '--expiring-within'; Says = 'Only those that expire before that long has passed, or have expired' }, @{ Word = '--limit'; Says = 'How many in all' }, @{ Word = '--all'; Says = 'Every one' })
      Arguments = @()
      Repeated = $false
    }
    'credentials delete' = @{
      Words = @()
      Options = @(@{ Word = '--dry-run'; Says = 'Check, print the request and a curl line, send nothing' })
      Arguments = @('live credentials')
      Repeated = $false
    }
    'credentials rotate' = @{
      Words = @()
      Options = @(@{ Word = '--name'; Says = 'Name' }, @{ Word = '--scope'; Says = 'Scope' }, @{ Word = '--device-id'; Says = 'Device it is limited to' }, @{ Word = '--body-file'; Says = 'The whole body as JSON, instead of its options; - is standard input' }, @{ Word = '--expires'; Says = 'When it expires: 90d from now, 2027-01-31T00:00:00Z; never, unless told' }, @{ Word = '--secret-file'; Says = 'Write the secret into this new file, readable by you alone, and show it nowhere' }, @{ Word = '--save-profile'; Says = 'Log this profile in with it, and show it nowhere' }, @{ Word = '--force'; Says = 'Replace the file, or the login of the profile, that is there' }, @{ Word = '--dry-run'; Says = 'Check, print the request and a curl line, send nothing' })
      Arguments = @('live credentials')
      Repeated = $false
    }
    'profiles' = @{
      Words = @(@{ Word = 'list'; Says = 'List the profiles' }, @{ Word = 'show'; Says = 'Show a profile, and where each value comes from' }, @{ Word = 'set'; Says = 'Set values of a profile' }, @{ Word = 'use'; Says = 'Choose the profile that is used from now on' }, @{ Word = 'delete'; Says = 'Delete a profile and its login' })
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'profiles list' = @{
      Words = @()
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'profiles show' = @{
      Words = @()
      Options = @(@{ Word = '--origin'; Says = 'Tell where each value comes from' })
      Arguments = @('live profiles')
      Repeated = $false
    }
    'profiles set' = @{
      Words = @()
      Options = @(@{ Word = '--protected'; Says = 'The same as protected=true: ask before every change' }, @{ Word = '--no-protected'; Says = 'The same as protected=true: ask before every change' })
      Arguments = @('live profiles', 'pairs baseUrl= tenant= app= org= output=table output=json output=ndjson output=yaml output=csv output=id allowHttp=true allowHttp=false caFile= batchBody=dto batchBody=input protected=true protected=false history=true history=false')
      Repeated = $true
    }
    'profiles use' = @{
      Words = @()
      Options = @()
      Arguments = @('live profiles')
      Repeated = $false
    }
    'profiles delete' = @{
      Words = @()
      Options = @()
      Arguments = @('live profiles')
      Repeated = $false
    }
    'api' = @{
      Words = @()
      Options = @(@{ Word = '--field'; Says = 'Field of the body, a text' }, @{ Word = '--raw-field'; Says = 'Field of the body, any JSON' }, @{ Word = '--query-param'; Says = 'Query parameter' }, @{ Word = '--header'; Says = 'Further header' }, @{ Word = '--body-file'; Says = 'The whole body; - is standard input' }, @{ Word = '--all'; Says = 'Follow the pages of a list, and give its items' }, @{ Word = '--openapi'; Says = 'Print the interface as OpenAPI 3.1, and send nothing' }, @{ Word = '--dry-run'; Says = 'Check, print the request and a curl line, send nothing' })
      Arguments = @('words GET POST PUT PATCH DELETE', 'live paths')
      Repeated = $false
    }
    'doctor' = @{
      Words = @()
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'history' = @{
      Words = @()
      Options = @(@{ Word = '--since'; Says = 'Only the changes of the last 7d, say, or since a time' }, @{ Word = '--limit'; Says = 'How many in all' }, @{ Word = '--all'; Says = 'Every one' })
      Arguments = @()
      Repeated = $false
    }
    'sandbox' = @{
      Words = @(@{ Word = 'start'; Says = 'Run the embedded platform until Ctrl-C' }, @{ Word = 'exec'; Says = 'Run a command against an embedded platform' }, @{ Word = 'tour'; Says = 'See every group of commands at work' }, @{ Word = 'clock'; Says = 'Move the clock of a running sandbox' }, @{ Word = 'export'; Says = 'Print the state of a running sandbox' })
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'sandbox start' = @{
      Words = @()
      Options = @(@{ Word = '--port'; Says = 'Port on loopback; any free one unless told' }, @{ Word = '--latency'; Says = 'Wait this long before each answer' }, @{ Word = '--fault'; Says = 'What goes wrong: PATH-GLOB=STATUS|reset|hang, before it a METHOD, behind it :PERCENT%' }, @{ Word = '--seed'; Says = 'Another world, and other dice for faults' }, @{ Word = '--users'; Says = 'Users of the root organization' }, @{ Word = '--devices'; Says = 'Devices' }, @{ Word = '--clock'; Says = 'Move its clock: +2h, or -30m for back' }, @{ Word = '--data'; Says = 'Keep its state here, and go on with what is there' }, @{ Word = '--from'; Says = 'Begin with this state, as sandbox export gives it; - is standard input' }, @{ Word = '--transcript'; Says = 'Write every request and answer here, secrets masked: NDJSON, or HTTP Archive for *.har' })
      Arguments = @()
      Repeated = $false
    }
    'sandbox exec' = @{
      Words = @()
      Options = @(@{ Word = '--port'; Says = 'Port on loopback; any free one unless told' }, @{ Word = '--latency'; Says = 'Wait this long before each answer' }, @{ Word = '--fault'; Says = 'What goes wrong: PATH-GLOB=STATUS|reset|hang, before it a METHOD, behind it :PERCENT%' }, @{ Word = '--seed'; Says = 'Another world, and other dice for faults' }, @{ Word = '--users'; Says = 'Users of the root organization' }, @{ Word = '--devices'; Says = 'Devices' }, @{ Word = '--clock'; Says = 'Move its clock: +2h, or -30m for back' }, @{ Word = '--data'; Says = 'Keep its state here, and go on with what is there' }, @{ Word = '--from'; Says = 'Begin with this state, as sandbox export gives it; - is standard input' }, @{ Word = '--transcript'; Says = 'Write every request and answer here, secrets masked: NDJSON, or HTTP Archive for *.har' }, @{ Word = '--expect'; Says = 'Requests that the command has to make, in this order' })
      Arguments = @('command')
      Repeated = $true
    }
    'sandbox tour' = @{
      Words = @()
      Options = @(@{ Word = '--port'; Says = 'Port on loopback; any free one unless told' }, @{ Word = '--latency'; Says = 'Wait this long before each answer' }, @{ Word = '--fault'; Says = 'What goes wrong: PATH-GLOB=STATUS|reset|hang, before it a METHOD, behind it :PERCENT%' }, @{ Word = '--seed'; Says = 'Another world, and other dice for faults' }, @{ Word = '--users'; Says = 'Users of the root organization' }, @{ Word = '--devices'; Says = 'Devices' }, @{ Word = '--clock'; Says = 'Move its clock: +2h, or -30m for back' }, @{ Word = '--data'; Says = 'Keep its state here, and go on with what is there' }, @{ Word = '--from'; Says = 'Begin with this state, as sandbox export gives it; - is standard input' }, @{ Word = '--transcript'; Says = 'Write every request and answer here, secrets masked: NDJSON, or HTTP Archive for *.har' })
      Arguments = @()
      Repeated = $false
    }
    'sandbox clock' = @{
      Words = @()
      Options = @()
      Arguments = @('')
      Repeated = $false
    }
    'sandbox export' = @{
      Words = @()
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'mcp' = @{
      Words = @()
      Options = @(@{ Word = '--allow-changes'; Says = 'Also offer the tools that change something' })
      Arguments = @()
      Repeated = $false
    }
    'completion' = @{
      Words = @()
      Options = @()
      Arguments = @('words bash zsh fish powershell')
      Repeated = $false
    }
    'help' = @{
      Words = @(@{ Word = 'login'; Says = 'Log in, and see who is logged in' }, @{ Word = 'logout'; Says = 'Forget the profile''s tokens and secrets' }, @{ Word = 'orgs'; Says = 'Organizations and their users' }, @{ Word = 'devices'; Says = 'Custom information of devices' }, @{ Word = 'policies'; Says = 'Alert policies' }, @{ Word = 'templates'; Says = 'Notification templates' }, @{ Word = 'channels'; Says = 'Notification channels' }, @{ Word = 'batches'; Says = 'Scheduled batches' }, @{ Word = 'credentials'; Says = 'Client credentials of the tenant' }, @{ Word = 'profiles'; Says = 'Where commands talk to, and as whom' }, @{ Word = 'api'; Says = 'Call any operation of the platform' }, @{ Word = 'doctor'; Says = 'What stands between this machine and a working call' }, @{ Word = 'history'; Says = 'What this machine has changed' }, @{ Word = 'sandbox'; Says = 'An embedded platform to try, rehearse and test with' }, @{ Word = 'mcp'; Says = 'The commands as tools for agents, over stdio' }, @{ Word = 'completion'; Says = 'Completions for bash, zsh, fish and PowerShell' }, @{ Word = 'environment'; Says = 'Variables that are read' }, @{ Word = 'exit-codes'; Says = 'What the exit code says' }, @{ Word = 'output'; Says = 'Formats, columns, jq, and what goes where' }, @{ Word = 'authentication'; Says = 'Signing in as a person and as a machine' })
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'help login' = @{
      Words = @(@{ Word = 'm2m'; Says = 'Log in as a machine, with a client credential' }, @{ Word = 'status'; Says = 'Show who is logged in, where, and for how long' }, @{ Word = 'token'; Says = 'Print a valid access token' }, @{ Word = 'refresh'; Says = 'Renew the login now' })
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'help orgs' = @{
      Words = @(@{ Word = 'users'; Says = 'Users of an organization' }, @{ Word = 'delete'; Says = 'Delete an organization' })
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'help orgs users' = @{
      Words = @(@{ Word = 'list'; Says = 'List the users of an organization' })
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'help devices' = @{
      Words = @(@{ Word = 'custom-info'; Says = 'Keys and values of a device' })
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'help devices custom-info' = @{
      Words = @(@{ Word = 'set'; Says = 'Set keys of a device''s custom information' }, @{ Word = 'import'; Says = 'Set custom information of a fleet from a file' })
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'help policies' = @{
      Words = @(@{ Word = 'update'; Says = 'Change some fields of an alert policy' })
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'help templates' = @{
      Words = @(@{ Word = 'list'; Says = 'List the notification templates' }, @{ Word = 'update'; Says = 'Change some fields of a notification template' })
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'help channels' = @{
      Words = @(@{ Word = 'update'; Says = 'Change some fields of a notification channel' })
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'help batches' = @{
      Words = @(@{ Word = 'create'; Says = 'Create a scheduled batch' }, @{ Word = 'cron'; Says = 'Say a Quartz expression in words, and its next times' })
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'help credentials' = @{
      Words = @(@{ Word = 'create'; Says = 'Create a client credential' }, @{ Word = 'list'; Says = 'List the client credentials of the tenant' }, @{ Word = 'delete'; Says = 'Delete a client credential' }, @{ Word = 'rotate'; Says = 'Replace a client credential by a successor' })
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'help profiles' = @{
      Words = @(@{ Word = 'list'; Says = 'List the profiles' }, @{ Word = 'show'; Says = 'Show a profile, and where each value comes from' }, @{ Word = 'set'; Says = 'Set values of a profile' }, @{ Word = 'use'; Says = 'Choose the profile that is used from now on' }, @{ Word = 'delete'; Says = 'Delete a profile and its login' })
      Options = @()
      Arguments = @()
      Repeated = $false
    }
    'help sandbox' = @{
      Words = @(@{ Word = 'start'; Says = 'Run the embedded platform until Ctrl-C' }, @{ Word = 'exec'; Says = 'Run a command against an embedded platform' }, @{ Word = 'tour'; Says = 'See every group of commands at work' }, @{ Word = 'clock'; Says = 'Move the clock of a running sandbox' }, @{ Word = 'export'; Says = 'Print the state of a running sandbox' })
      Options = @()
      Arguments = @()
      Repeated = $false
    }
  }
  # What follows an option: the first rule that holds; a spec of $null is a switch.
  $rules = @(
    @{ Path = 'orgs users list'; Words = @('--role'); Spec = 'words admin operator viewer' }
    @{ Path = 'orgs users list'; Words = @('--sort'); Spec = 'words name name:desc orgRole orgRole:desc userId userId:desc' }
    @{ Path = 'devices custom-info set'; Words = @('--body-file'); Spec = 'file' }
    @{ Path = 'devices custom-info set'; Words = @('--from-file'); Spec = 'file' }
    @{ Path = 'devices custom-info import'; Words = @('--body-file'); Spec = 'file' }
    @{ Path = 'devices custom-info import'; Words = @('--format'); Spec = 'words csv ndjson json' }
    @{ Path = 'devices custom-info import'; Words = @('--journal'); Spec = 'file' }
    @{ Path = 'devices custom-info import'; Words = @('--on-error'); Spec = 'words continue stop' }
    @{ Path = 'devices custom-info import'; Words = @('--failed-to'); Spec = 'file' }
    @{ Path = 'policies update'; Words = @('--channel-id'); Spec = 'live channels' }
    @{ Path = 'policies update'; Words = @('--template-id'); Spec = 'live templates' }
    @{ Path = 'policies update'; Words = @('--body-file'); Spec = 'file' }
    @{ Path = 'policies update'; Words = @('--content-file'); Spec = 'file' }
    @{ Path = 'policies update'; Words = @('--notification-file'); Spec = 'file' }
    @{ Path = 'templates list'; Words = @('--name'); Spec = 'live template-names' }
    @{ Path = 'templates list'; Words = @('--channel-type'); Spec = 'words email teams linemessage webhook' }
    @{ Path = 'templates update'; Words = @('--channel-type'); Spec = 'words email teams linemessage webhook' }
    @{ Path = 'templates update'; Words = @('--body-file'); Spec = 'file' }
    @{ Path = 'templates update'; Words = @('--content-file'); Spec = 'file' }
    @{ Path = 'channels update'; Words = @('--channel-type'); Spec = 'words email teams linemessage webhook' }
    @{ Path = 'channels update'; Words = @('--config-file'); Spec = 'file' }
    @{ Path = 'channels update'; Words = @('--template-id'); Spec = 'live templates' }
    @{ Path = 'channels update'; Words = @('--body-file'); Spec = 'file' }
    @{ Path = 'batches create'; Words = @('--actions-file'); Spec = 'file' }
    @{ Path = 'batches create'; Words = @('--body-file'); Spec = 'file' }
    @{ Path = 'batches cron'; Words = @('--tz'); Spec = 'live zones' }
    @{ Path = 'credentials create'; Words = @('--device-id'); Spec = 'live devices' }
    @{ Path = 'credentials create'; Words = @('--body-file'); Spec = 'file' }
    @{ Path = 'credentials create'; Words = @('--secret-file'); Spec = 'file' }
    @{ Path = 'credentials create'; Words = @('--save-profile'); Spec = 'live profiles' }
    @{ Path = 'credentials rotate'; Words = @('--device-id'); Spec = 'live devices' }
    @{ Path = 'credentials rotate'; Words = @('--body-file'); Spec = 'file' }
    @{ Path = 'credentials rotate'; Words = @('--secret-file'); Spec = 'file' }
    @{ Path = 'credentials rotate'; Words = @('--save-profile'); Spec = 'live profiles' }
    @{ Path = 'api'; Words = @('--body-file'); Spec = 'file' }
    @{ Path = 'sandbox start'; Words = @('--data'); Spec = 'file' }
    @{ Path = 'sandbox start'; Words = @('--from'); Spec = 'file' }
    @{ Path = 'sandbox start'; Words = @('--transcript'); Spec = 'file' }
    @{ Path = 'sandbox exec'; Words = @('--data'); Spec = 'file' }
    @{ Path = 'sandbox exec'; Words = @('--from'); Spec = 'file' }
    @{ Path = 'sandbox exec'; Words = @('--transcript'); Spec = 'file' }
    @{ Path = 'sandbox exec'; Words = @('--expect'); Spec = 'file' }
    @{ Path = 'sandbox tour'; Words = @('--data'); Spec = 'file' }
    @{ Path = 'sandbox tour'; Words = @('--from'); Spec = 'file' }
    @{ Path = 'sandbox tour'; Words = @('--transcript'); Spec = 'file' }
    @{ Path = 'login'; Words = @('--columns'); Spec = 'list profile baseUrl flow account expiresAt loggedIn' }
    @{ Path = 'login m2m'; Words = @('--columns'); Spec = 'list profile baseUrl flow account expiresAt loggedIn' }
    @{ Path = 'login status'; Words = @('--columns'); Spec = 'list baseUrl signedIn why source profile flow account clientId renewable expiresAt accepted' }
    @{ Path = 'login refresh'; Words = @('--columns'); Spec = 'list profile refreshed expiresAt' }
    @{ Path = 'logout'; Words = @('--columns'); Spec = 'list profile loggedOut' }
    @{ Path = 'orgs users list'; Words = @('--columns'); Spec = 'list userId name orgRole' }
    @{ Path = 'devices custom-info set'; Words = @('--columns'); Spec = 'list deviceId customInfo' }
    @{ Path = 'devices custom-info import'; Words = @('--columns'); Spec = 'list total done failed skipped notSent unknown' }
    @{ Path = 'policies update'; Words = @('--columns'); Spec = 'list alertPolicyId updated policyName description alertLevel alertResetLevel delay notification' }
    @{ Path = 'templates list'; Words = @('--columns'); Spec = 'list templateId name subject content channelTypes tags' }
    @{ Path = 'templates update'; Words = @('--columns'); Spec = 'list templateId updated name subject content channelTypes tags' }
    @{ Path = 'channels update'; Words = @('--columns'); Spec = 'list channelId updated name channelType description isEnabled commonSettings config templateId recipients tags' }
    @{ Path = 'batches create'; Words = @('--columns'); Spec = 'list orgId name created' }
    @{ Path = 'batches cron'; Words = @('--columns'); Spec = 'list expression words timeZone next warnings' }
    @{ Path = 'credentials create'; Words = @('--columns'); Spec = 'list clientCredentialId clientId name createdAt expiredAt scopes deviceIds clientSecret' }
    @{ Path = 'credentials list'; Words = @('--columns'); Spec = 'list clientCredentialId clientId name createdAt expiredAt scopes deviceIds' }
    @{ Path = 'credentials rotate'; Words = @('--columns'); Spec = 'list clientCredentialId clientId name createdAt expiredAt scopes deviceIds clientSecret' }
    @{ Path = 'profiles list'; Words = @('--columns'); Spec = 'list name current baseUrl org protected' }
    @{ Path = 'profiles set'; Words = @('--columns'); Spec = 'list name' }
    @{ Path = 'profiles use'; Words = @('--columns'); Spec = 'list name current' }
    @{ Path = 'profiles delete'; Words = @('--columns'); Spec = 'list name deleted' }
    @{ Path = 'doctor'; Words = @('--columns'); Spec = 'list check status says hint' }
    @{ Path = 'history'; Words = @('--columns'); Spec = 'list at profile as baseUrl orgId operation about outcome status error requestId' }
    @{ Path = 'sandbox start'; Words = @('--columns'); Spec = 'list url' }
    @{ Path = 'sandbox clock'; Words = @('--columns'); Spec = 'list now moved' }
    @{ Path = $null; Words = @('--profile'); Spec = 'live profiles' }
    @{ Path = $null; Words = @('--base-url'); Spec = '' }
    @{ Path = $null; Words = @('--org'); Spec = 'live organizations' }
    @{ Path = $null; Words = @('--output', '-o'); Spec = 'words table json ndjson yaml csv id' }
    @{ Path = $null; Words = @('--columns'); Spec = '' }
    @{ Path = $null; Words = @('--jq'); Spec = '' }
    @{ Path = $null; Words = @('--protected-profile'); Spec = 'live profiles' }
    @{ Path = $null; Words = @('--timeout'); Spec = '' }
    @{ Path = $null; Words = @('--retries'); Spec = '' }
    @{ Path = $null; Words = @('--ca-file'); Spec = 'file' }
    @{ Path = $null; Words = @('--tenant', '--app', '--account', '--client-id', '--skip', '--page-size', '--role', '--name', '--sort', '--limit', '--org-name', '--body-file', '--null', '--from-file', '--format', '--null-as', '--concurrency', '--rate', '--journal', '--on-error', '--failed-to', '--description', '--alert-level', '--alert-reset-level', '--delay', '--channel-id', '--recipient', '--template-id', '--var', '--subject', '--content', '--content-file', '--notification-file', '--channel-type', '--tag', '--settings-timeout', '--settings-retry-attempts', '--settings-retry-delay', '--config-file', '--cron', '--actions-file', '--tz', '--count', '--scope', '--device-id', '--expires', '--secret-file', '--save-profile', '--expiring-within', '--field', '--raw-field', '--query-param', '--header', '--since', '--port', '--latency', '--fault', '--seed', '--users', '--devices', '--clock', '--data', '--from', '--transcript', '--expect'); Spec = '' }
  )
  $global = @(
    @{ Word = '--profile'; Says = 'Profile to use' }
    @{ Word = '--base-url'; Says = 'The platform, over the profile''s' }
    @{ Word = '--org'; Says = 'The organization, over the profile''s' }
    @{ Word = '--output'; Says = 'Format of the result' }
    @{ Word = '-o'; Says = 'Format of the result' }
    @{ Word = '--json'; Says = 'Short for -o json' }
    @{ Word = '--quiet'; Says = 'No notices, no progress' }
    @{ Word = '-q'; Says = 'No notices, no progress' }
    @{ Word = '--columns'; Says = 'Fields to show, in this order (table and csv)' }
    @{ Word = '--jq'; Says = 'Filter the whole result with a jq expression' }
    @{ Word = '--csv-safe'; Says = 'Defuse csv cells that spreadsheets take for formulas' }
    @{ Word = '--yes'; Says = 'Agree to what would be asked; never stands in for a typed name' }
    @{ Word = '-y'; Says = 'Agree to what would be asked; never stands in for a typed name' }
    @{ Word = '--no-input'; Says = 'Never ask: what is missing is an error' }
    @{ Word = '--protected-profile'; Says = 'Agree to changes through this protected profile' }
    @{ Word = '--verbose'; Says = 'A line for each request on stderr' }
    @{ Word = '-v'; Says = 'A line for each request on stderr' }
    @{ Word = '--debug'; Says = 'Headers and bodies too, secrets masked' }
    @{ Word = '--timeout'; Says = 'Per request' }
    @{ Word = '--retries'; Says = 'Repeats where that is safe; a row of an import has 5' }
    @{ Word = '--ca-file'; Says = 'Further certificate authorities, beside the system''s' }
    @{ Word = '--no-color'; Says = 'No colour' }
    @{ Word = '--help'; Says = 'Show help' }
    @{ Word = '-h'; Says = 'Show help' }
    @{ Word = '--version'; Says = 'Show the version' }
    @{ Word = '-V'; Says = 'Show the version' }
  )
  $aliases = @{ 'ls' = 'list'; 'rm' = 'delete' }
  function Find-Spec([string] $path, [string] $option) {
    foreach ($rule in $rules) {
      if (($null -eq $rule.Path -or $rule.Path -ceq $path) -and $rule.Words -ccontains $option) { return $rule }
    }
  }
  function Show-Candidate([string] $text, [string] $says) {
    if (-not $text.StartsWith($wordToComplete, [StringComparison]::OrdinalIgnoreCase)) { return }
    $safe = if ($text -match '[\s''"`$;|&(){}<>@#]') { "'" + $text.Replace("'", "''") + "'" } else { $text }
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
          $text, $says = $each -split "`t", 2
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
}
