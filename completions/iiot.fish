# iiot: completions for fish, written from the definitions of the commands by: npm run texts

# Sets what may follow the words of $argv; false where they lead nowhere.
function __iiot_place --no-scope-shadowing
    set words
    set options
    set arguments
    set repeated ''
    switch "$argv[1]"
        case ''
            set words 'login	Log in, and see who is logged in' 'logout	Forget the profile\'s tokens and secrets' 'orgs	Organizations and their users' 'devices	Custom information of devices' 'policies	Alert policies' 'templates	Notification templates' 'channels	Notification channels' 'batches	Scheduled batches' 'credentials	Client credentials of the tenant' 'profiles	Where commands talk to, and as whom' 'api	Call any operation of the platform' 'doctor	What stands between this machine and a working call' 'history	What this machine has changed' 'sandbox	An embedded platform to try, rehearse and test with' 'mcp	The commands as tools for agents, over stdio' 'completion	Completions for bash, zsh, fish and PowerShell' 'help	Help on a command or a topic'
        case 'login'
            set words 'm2m	Log in as a machine, with a client credential' 'status	Show who is logged in, where, and for how long' 'token	Print a valid access token' 'refresh	Renew the login now'
            set options '--tenant	Path segment of the tenant' '--app	Path segment of the application' '--account	E-mail of the account' '--password-stdin	Read the password from standard input'
        case 'login m2m'
            set options '--client-id	Client id' '--client-secret-stdin	Read the client secret from standard input'
        case 'login status'
            set options '--check	Ask the platform'
        case 'login token'
            true
        case 'login refresh'
            true
        case 'logout'
            set options '--all	Of every profile'
        case 'orgs'
            set words 'users	Users of an organization' 'delete	Delete an organization'
        case 'orgs users'
            set words 'list	List the users of an organization'
        case 'orgs users list'
            set options '--skip	Users to skip' '--page-size	Users to ask for at a time' '--role	Only users with this role' '--name	Only users whose name contains this' '--sort	Sort by name, orgRole or userId; asc unless told desc' '--limit	How many in all' '--all	Every one'
        case 'orgs delete'
            set options '--org-name	The organization\'s exact name, instead of typing it; --yes does not stand in for it' '--dry-run	Check, print the request and a curl line, send nothing'
            set arguments 'live organizations'
        case 'devices'
            set words 'custom-info	Keys and values of a device'
        case 'devices custom-info'
            set words 'set	Set keys of a device\'s custom information' 'import	Set custom information of a fleet from a file'
        case 'devices custom-info set'
            set options '--body-file	The whole body as JSON, instead of its options; - is standard input' '--null	Key whose value becomes null' '--from-file	JSON object of keys and values; - is standard input' '--dry-run	Check, print the request and a curl line, send nothing'
            set arguments 'live devices' ''
            set repeated 1
        case 'devices custom-info import'
            set options '--body-file	The whole body as JSON, instead of its options; - is standard input' '--format	By default from the name' '--null-as	Cell of a CSV file that means null' '--concurrency	Requests under way, 16 unless told' '--rate	Requests a second, as many as go unless told' '--journal	Where to record what is done; needed for standard input' '--resume	Go on where the journal ends; without a journal, begin' '--on-error	continue: send the good rows of a file with bad ones; stop: end at the first row that fails' '--failed-to	Write rows that failed here, in the format of the input' '--dry-run	Check, print the request and a curl line, send nothing'
            set arguments 'file'
        case 'policies'
            set words 'update	Change some fields of an alert policy'
        case 'policies update'
            set options '--name	New name' '--description	New description' '--alert-level	Trigger threshold, ">80" for example' '--alert-reset-level	Reset threshold, "<75" for example' '--delay	Debounce delay in seconds' '--channel-id	Notification channel to use' '--recipient	Recipient' '--template-id	Template, used with variables' '--var	Variable for the template' '--subject	Inline subject, used with content' '--content	Inline body, used with subject' '--body-file	The whole body as JSON, instead of its options; - is standard input' '--content-file	File with the inline body; - is standard input' '--notification-file	JSON file with the whole notification; - is standard input' '--dry-run	Check, print the request and a curl line, send nothing'
            set arguments 'live policies'
        case 'templates'
            set words 'list	List the notification templates' 'update	Change some fields of a notification template'
        case 'templates list'
            set options '--skip	Templates to skip' '--page-size	Templates to ask for at a time' '--name	Only templates with this name' '--channel-type	Only templates for this type' '--tag	Only templates with this tag' '--limit	How many in all' '--all	Every one'
        case 'templates update'
            set options '--name	New name' '--subject	New subject; only email uses it' '--content	New text; may contain template variables' '--channel-type	Channel type it is for; replaces the list' '--tag	Tag; replaces the list' '--body-file	The whole body as JSON, instead of its options; - is standard input' '--content-file	File with the new text; - is standard input' '--clear-tags	Leave it without tags' '--clear-channel-types	Leave it without channel types' '--dry-run	Check, print the request and a curl line, send nothing'
            set arguments 'live templates'
        case 'channels'
            set words 'update	Change some fields of a notification channel'
        case 'channels update'
            set options '--name	New name' '--channel-type	New type' '--description	New description' '--enable	Enable the channel' '--disable	Enable the channel' '--settings-timeout	Timeout, in the unit of the platform' '--settings-retry-attempts	Retry attempts' '--settings-retry-delay	Delay between them, in the unit of the platform' '--config-file	Configuration of the channel type, a JSON file; - is standard input' '--template-id	Template' '--recipient	Default recipient; replaces the list' '--tag	Tag; replaces the list' '--body-file	The whole body as JSON, instead of its options; - is standard input' '--clear-recipients	Leave it without default recipients' '--clear-tags	Leave it without tags' '--dry-run	Check, print the request and a curl line, send nothing'
            set arguments 'live channels'
        case 'batches'
            set words 'create	Create a scheduled batch' 'cron	Say a Quartz expression in words, and its next times'
        case 'batches create'
            set options '--name	Name, unique' '--cron	Quartz cron expression: seconds first, six or seven parts' '--enabled	Whether the batch is enabled' '--disabled	Whether the batch is enabled' '--run-on-startup	Whether the batch runs on startup' '--no-run-on-startup	Whether the batch runs on startup' '--actions-file	Batch actions, a JSON file; - is standard input' '--body-file	The whole body as JSON, instead of its options; - is standard input' '--dry-run	Check, print the request and a curl line, send nothing'
        case 'batches cron'
            set options '--tz	Time zone, Europe/Berlin for example' '--count	How many times'
            set arguments ''
        case 'credentials'
            set words 'create	Create a client credential' 'list	List the client credentials of the tenant' 'delete	Delete a client credential' 'rotate	Replace a client credential by a successor'
        case 'credentials create'
            set options '--name	Name' '--scope	Scope' '--device-id	Device it is limited to' '--body-file	The whole body as JSON, instead of its options; - is standard input' '--expires	When it expires: 90d from now, 2027-01-31T00:00:00Z; never, unless told' '--secret-file	Write the secret into this new file, readable by you alone, and show it nowhere' '--save-profile	Log this profile in with it, and show it nowhere' '--force	Replace the file, or the login of the profile, that is there' '--dry-run	Check, print the request and a curl line, send nothing'
        case 'credentials list'
            set options '--expiring-within	Only those that expire before that long has passed, or have expired' '--limit	How many in all' '--all	Every one'
        case 'credentials delete'
            set options '--dry-run	Check, print the request and a curl line, send nothing'
            set arguments 'live credentials'
        case 'credentials rotate'
            set options '--name	Name' '--scope	Scope' '--device-id	Device it is limited to' '--body-file	The whole body as JSON, instead of its options; - is standard input' '--expires	When it expires: 90d from now, 2027-01-31T00:00:00Z; never, unless told' '--secret-file	Write the secret into this new file, readable by you alone, and show it nowhere' '--save-profile	Log this profile in with it, and show it nowhere' '--force	Replace the file, or the login of the profile, that is there' '--dry-run	Check, print the request and a curl line, send nothing'
            set arguments 'live credentials'
        case 'profiles'
            set words 'list	List the profiles' 'show	Show a profile, and where each value comes from' 'set	Set values of a profile' 'use	Choose the profile that is used from now on' 'delete	Delete a profile and its login'
        case 'profiles list'
            true
        case 'profiles show'
            set options '--origin	Tell where each value comes from'
            set arguments 'live profiles'
        case 'profiles set'
            set options '--protected	The same as protected=true: ask before every change' '--no-protected	The same as protected=true: ask before every change'
            set arguments 'live profiles' 'pairs baseUrl= tenant= app= org= output=table output=json output=ndjson output=yaml output=csv output=id allowHttp=true allowHttp=false caFile= batchBody=dto batchBody=input protected=true protected=false history=true history=false'
            set repeated 1
        case 'profiles use'
            set arguments 'live profiles'
        case 'profiles delete'
            set arguments 'live profiles'
        case 'api'
            set options '--field	Field of the body, a text' '--raw-field	Field of the body, any JSON' '--query-param	Query parameter' '--header	Further header' '--body-file	The whole body; - is standard input' '--all	Follow the pages of a list, and give its items' '--openapi	Print the interface as OpenAPI 3.1, and send nothing' '--dry-run	Check, print the request and a curl line, send nothing'
            set arguments 'words GET POST PUT PATCH DELETE' 'live paths'
        case 'doctor'
            true
        case 'history'
            set options '--since	Only the changes of the last 7d, say, or since a time' '--limit	How many in all' '--all	Every one'
        case 'sandbox'
            set words 'start	Run the embedded platform until Ctrl-C' 'exec	Run a command against an embedded platform' 'tour	See every group of commands at work' 'clock	Move the clock of a running sandbox' 'export	Print the state of a running sandbox'
        case 'sandbox start'
            set options '--port	Port on loopback; any free one unless told' '--latency	Wait this long before each answer' '--fault	What goes wrong: PATH-GLOB=STATUS|reset|hang, before it a METHOD, behind it :PERCENT%' '--seed	Another world, and other dice for faults' '--users	Users of the root organization' '--devices	Devices' '--clock	Move its clock: +2h, or -30m for back' '--data	Keep its state here, and go on with what is there' '--from	Begin with this state, as sandbox export gives it; - is standard input' '--transcript	Write every request and answer here, secrets masked: NDJSON, or HTTP Archive for *.har'
        case 'sandbox exec'
            set options '--port	Port on loopback; any free one unless told' '--latency	Wait this long before each answer' '--fault	What goes wrong: PATH-GLOB=STATUS|reset|hang, before it a METHOD, behind it :PERCENT%' '--seed	Another world, and other dice for faults' '--users	Users of the root organization' '--devices	Devices' '--clock	Move its clock: +2h, or -30m for back' '--data	Keep its state here, and go on with what is there' '--from	Begin with this state, as sandbox export gives it; - is standard input' '--transcript	Write every request and answer here, secrets masked: NDJSON, or HTTP Archive for *.har' '--expect	Requests that the command has to make, in this order'
            set arguments 'command'
            set repeated 1
        case 'sandbox tour'
            set options '--port	Port on loopback; any free one unless told' '--latency	Wait this long before each answer' '--fault	What goes wrong: PATH-GLOB=STATUS|reset|hang, before it a METHOD, behind it :PERCENT%' '--seed	Another world, and other dice for faults' '--users	Users of the root organization' '--devices	Devices' '--clock	Move its clock: +2h, or -30m for back' '--data	Keep its state here, and go on with what is there' '--from	Begin with this state, as sandbox export gives it; - is standard input' '--transcript	Write every request and answer here, secrets masked: NDJSON, or HTTP Archive for *.har'
        case 'sandbox clock'
            set arguments ''
        case 'sandbox export'
            true
        case 'mcp'
            set options '--allow-changes	Also offer the tools that change something'
        case 'completion'
            set arguments 'words bash zsh fish powershell'
        case 'help'
            set words 'login	Log in, and see who is logged in' 'logout	Forget the profile\'s tokens and secrets' 'orgs	Organizations and their users' 'devices	Custom information of devices' 'policies	Alert policies' 'templates	Notification templates' 'channels	Notification channels' 'batches	Scheduled batches' 'credentials	Client credentials of the tenant' 'profiles	Where commands talk to, and as whom' 'api	Call any operation of the platform' 'doctor	What stands between this machine and a working call' 'history	What this machine has changed' 'sandbox	An embedded platform to try, rehearse and test with' 'mcp	The commands as tools for agents, over stdio' 'completion	Completions for bash, zsh, fish and PowerShell' 'environment	Variables that are read' 'exit-codes	What the exit code says' 'output	Formats, columns, jq, and what goes where' 'authentication	Signing in as a person and as a machine'
        case 'help login'
            set words 'm2m	Log in as a machine, with a client credential' 'status	Show who is logged in, where, and for how long' 'token	Print a valid access token' 'refresh	Renew the login now'
        case 'help orgs'
            set words 'users	Users of an organization' 'delete	Delete an organization'
        case 'help orgs users'
            set words 'list	List the users of an organization'
        case 'help devices'
            set words 'custom-info	Keys and values of a device'
        case 'help devices custom-info'
            set words 'set	Set keys of a device\'s custom information' 'import	Set custom information of a fleet from a file'
        case 'help policies'
            set words 'update	Change some fields of an alert policy'
        case 'help templates'
            set words 'list	List the notification templates' 'update	Change some fields of a notification template'
        case 'help channels'
            set words 'update	Change some fields of a notification channel'
        case 'help batches'
            set words 'create	Create a scheduled batch' 'cron	Say a Quartz expression in words, and its next times'
        case 'help credentials'
            set words 'create	Create a client credential' 'list	List the client credentials of the tenant' 'delete	Delete a client credential' 'rotate	Replace a client credential by a successor'
        case 'help profiles'
            set words 'list	List the profiles' 'show	Show a profile, and where each value comes from' 'set	Set values of a profile' 'use	Choose the profile that is used from now on' 'delete	Delete a profile and its login'
        case 'help sandbox'
            set words 'start	Run the embedded platform until Ctrl-C' 'exec	Run a command against an embedded platform' 'tour	See every group of commands at work' 'clock	Move the clock of a running sandbox' 'export	Print the state of a running sandbox'
        case '*'
            return 1
    end
end

# Sets spec to what completes the value of an option behind some words; false for a switch.
function __iiot_spec --no-scope-shadowing
    set spec ''
    switch "$argv[1]:$argv[2]"
        case 'orgs users list:--role'
            set spec 'words admin operator viewer'
        case 'orgs users list:--sort'
            set spec 'words name name:desc orgRole orgRole:desc userId userId:desc'
        case 'devices custom-info set:--body-file'
            set spec 'file'
        case 'devices custom-info set:--from-file'
            set spec 'file'
        case 'devices custom-info import:--body-file'
            set spec 'file'
        case 'devices custom-info import:--format'
            set spec 'words csv ndjson json'
        case 'devices custom-info import:--journal'
            set spec 'file'
        case 'devices custom-info import:--on-error'
            set spec 'words continue stop'
        case 'devices custom-info import:--failed-to'
            set spec 'file'
        case 'policies update:--channel-id'
            set spec 'live channels'
        case 'policies update:--template-id'
            set spec 'live templates'
        case 'policies update:--body-file'
            set spec 'file'
        case 'policies update:--content-file'
            set spec 'file'
        case 'policies update:--notification-file'
            set spec 'file'
        case 'templates list:--name'
            set spec 'live template-names'
        case 'templates list:--channel-type'
            set spec 'words email teams linemessage webhook'
        case 'templates update:--channel-type'
            set spec 'words email teams linemessage webhook'
        case 'templates update:--body-file'
            set spec 'file'
        case 'templates update:--content-file'
            set spec 'file'
        case 'channels update:--channel-type'
            set spec 'words email teams linemessage webhook'
        case 'channels update:--config-file'
            set spec 'file'
        case 'channels update:--template-id'
            set spec 'live templates'
        case 'channels update:--body-file'
            set spec 'file'
        case 'batches create:--actions-file'
            set spec 'file'
        case 'batches create:--body-file'
            set spec 'file'
        case 'batches cron:--tz'
            set spec 'live zones'
        case 'credentials create:--device-id'
            set spec 'live devices'
        case 'credentials create:--body-file'
            set spec 'file'
        case 'credentials create:--secret-file'
            set spec 'file'
        case 'credentials create:--save-profile'
            set spec 'live profiles'
        case 'credentials rotate:--device-id'
            set spec 'live devices'
        case 'credentials rotate:--body-file'
            set spec 'file'
        case 'credentials rotate:--secret-file'
            set spec 'file'
        case 'credentials rotate:--save-profile'
            set spec 'live profiles'
        case 'api:--body-file'
            set spec 'file'
        case 'sandbox start:--data'
            set spec 'file'
        case 'sandbox start:--from'
            set spec 'file'
        case 'sandbox start:--transcript'
            set spec 'file'
        case 'sandbox exec:--data'
            set spec 'file'
        case 'sandbox exec:--from'
            set spec 'file'
        case 'sandbox exec:--transcript'
            set spec 'file'
        case 'sandbox exec:--expect'
            set spec 'file'
        case 'sandbox tour:--data'
            set spec 'file'
        case 'sandbox tour:--from'
            set spec 'file'
        case 'sandbox tour:--transcript'
            set spec 'file'
        case 'login:--columns'
            set spec 'list profile baseUrl flow account expiresAt loggedIn'
        case 'login m2m:--columns'
            set spec 'list profile baseUrl flow account expiresAt loggedIn'
        case 'login status:--columns'
            set spec 'list baseUrl signedIn why source profile flow account clientId renewable expiresAt accepted'
        case 'login refresh:--columns'
            set spec 'list profile refreshed expiresAt'
        case 'logout:--columns'
            set spec 'list profile loggedOut'
        case 'orgs users list:--columns'
            set spec 'list userId name orgRole'
        case 'devices custom-info set:--columns'
            set spec 'list deviceId customInfo'
        case 'devices custom-info import:--columns'
            set spec 'list total done failed skipped notSent unknown'
        case 'policies update:--columns'
            set spec 'list alertPolicyId updated policyName description alertLevel alertResetLevel delay notification'
        case 'templates list:--columns'
            set spec 'list templateId name subject content channelTypes tags'
        case 'templates update:--columns'
            set spec 'list templateId updated name subject content channelTypes tags'
        case 'channels update:--columns'
            set spec 'list channelId updated name channelType description isEnabled commonSettings config templateId recipients tags'
        case 'batches create:--columns'
            set spec 'list orgId name created'
        case 'batches cron:--columns'
            set spec 'list expression words timeZone next warnings'
        case 'credentials create:--columns'
            set spec 'list clientCredentialId clientId name createdAt expiredAt scopes deviceIds clientSecret'
        case 'credentials list:--columns'
            set spec 'list clientCredentialId clientId name createdAt expiredAt scopes deviceIds'
        case 'credentials rotate:--columns'
            set spec 'list clientCredentialId clientId name createdAt expiredAt scopes deviceIds clientSecret'
        case 'profiles list:--columns'
            set spec 'list name current baseUrl org protected'
        case 'profiles set:--columns'
            set spec 'list name'
        case 'profiles use:--columns'
            set spec 'list name current'
        case 'profiles delete:--columns'
            set spec 'list name deleted'
        case 'doctor:--columns'
            set spec 'list check status says hint'
        case 'history:--columns'
            set spec 'list at profile as baseUrl orgId operation about outcome status error requestId'
        case 'sandbox start:--columns'
            set spec 'list url'
        case 'sandbox clock:--columns'
            set spec 'list now moved'
        case '*:--profile'
            set spec 'live profiles'
        case '*:--base-url'
            set spec ''
        case '*:--org'
            set spec 'live organizations'
        case '*:--output' '*:-o'
            set spec 'words table json ndjson yaml csv id'
        case '*:--columns'
            set spec ''
        case '*:--jq'
            set spec ''
        case '*:--protected-profile'
            set spec 'live profiles'
        case '*:--timeout'
            set spec ''
        case '*:--retries'
            set spec ''
        case '*:--ca-file'
            set spec 'file'
        case '*:--tenant' '*:--app' '*:--account' '*:--client-id' '*:--skip' '*:--page-size' '*:--role' '*:--name' '*:--sort' '*:--limit' '*:--org-name' '*:--body-file' '*:--null' '*:--from-file' '*:--format' '*:--null-as' '*:--concurrency' '*:--rate' '*:--journal' '*:--on-error' '*:--failed-to' '*:--description' '*:--alert-level' '*:--alert-reset-level' '*:--delay' '*:--channel-id' '*:--recipient' '*:--template-id' '*:--var' '*:--subject' '*:--content' '*:--content-file' '*:--notification-file' '*:--channel-type' '*:--tag' '*:--settings-timeout' '*:--settings-retry-attempts' '*:--settings-retry-delay' '*:--config-file' '*:--cron' '*:--actions-file' '*:--tz' '*:--count' '*:--scope' '*:--device-id' '*:--expires' '*:--secret-file' '*:--save-profile' '*:--expiring-within' '*:--field' '*:--raw-field' '*:--query-param' '*:--header' '*:--since' '*:--port' '*:--latency' '*:--fault' '*:--seed' '*:--users' '*:--devices' '*:--clock' '*:--data' '*:--from' '*:--transcript' '*:--expect'
            set spec ''
        case '*'
            return 1
    end
end

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
                case ls
                    set word list
                case rm
                    set word delete
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
        printf '%s\n' $options '--profile	Profile to use' '--base-url	The platform, over the profile\'s' '--org	The organization, over the profile\'s' '--output	Format of the result' '-o	Format of the result' '--json	Short for -o json' '--quiet	No notices, no progress' '-q	No notices, no progress' '--columns	Fields to show, in this order (table and csv)' '--jq	Filter the whole result with a jq expression' '--csv-safe	Defuse csv cells that spreadsheets take for formulas' '--yes	Agree to what would be asked; never stands in for a typed name' '-y	Agree to what would be asked; never stands in for a typed name' '--no-input	Never ask: what is missing is an error' '--protected-profile	Agree to changes through this protected profile' '--verbose	A line for each request on stderr' '-v	A line for each request on stderr' '--debug	Headers and bodies too, secrets masked' '--timeout	Per request' '--retries	Repeats where that is safe; a row of an import has 5' '--ca-file	Further certificate authorities, beside the system\'s' '--no-color	No colour' '--help	Show help' '-h	Show help' '--version	Show the version' '-V	Show the version'
    else
        if test $position -eq 1; and test -z "$ended"; and test (count $words) -gt 0
            printf '%s\n' $words
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

# Prints what the spec gives for a value that begins with the second word, each behind the first.
function __iiot_offer --no-scope-shadowing
    set -l before $argv[1]
    set -l value $argv[2]
    set -l parts (string split ' ' -- $spec)
    switch "$parts[1]"
        case words
            printf "$before%s\n" $parts[2..-1]
        case list
            set -l head (string replace -r '[^,]*$' '' -- "$value")
            printf '%s\n' "$before$head"$parts[2..-1]
        case pairs
            for each in $parts[2..-1]
                if not string match -q -- '*=*' "$value"
                    set each (string replace -r '=.*' '=' -- $each)
                end
                printf '%s\n' "$before$each"
            end
        case file
            for each in (__fish_complete_path "$value")
                printf '%s\n' "$before$each"
            end
        case command
            __fish_complete_command
        case live
            for each in ($program __complete $parts[2] $given 2>/dev/null)
                printf '%s\n' "$before$each"
            end
    end
end

complete -c iiot -e
complete -c iiot -f -a '(__iiot_complete)'
