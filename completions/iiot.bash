# iiot: completions for bash, written from the definitions of the commands by: npm run texts

# Sets words, options and arguments to what may follow the words of $1; false where they lead nowhere.
_iiot_place() {
  words='' options='' repeated='' arguments=()
  case $1 in
    '') words='login logout orgs devices policies templates channels batches credentials profiles api doctor history sandbox mcp completion help' ;;
    'login') words='m2m status token refresh' options='--tenant --app --account --password-stdin' ;;
    'login m2m') options='--client-id --client-secret-stdin' ;;
    'login status') options='--check' ;;
    'login token')  ;;
    'login refresh')  ;;
    'logout') options='--all' ;;
    'orgs') words='users delete' ;;
    'orgs users') words='list' ;;
    'orgs users list') options='--skip --page-size --role --name --sort --limit --all' ;;
    'orgs delete') options='--org-name --dry-run' arguments=('live organizations') ;;
    'devices') words='custom-info' ;;
    'devices custom-info') words='set import' ;;
    'devices custom-info set') options='--body-file --null --from-file --dry-run' arguments=('live devices' '') repeated=1 ;;
    'devices custom-info import') options='--body-file --format --null-as --concurrency --rate --journal --resume --on-error --failed-to --dry-run' arguments=('file') ;;
    'policies') words='update' ;;
    'policies update') options='--name --description --alert-level --alert-reset-level --delay --channel-id --recipient --template-id --var --subject --content --body-file --content-file --notification-file --dry-run' arguments=('live policies') ;;
    'templates') words='list update' ;;
    'templates list') options='--skip --page-size --name --channel-type --tag --limit --all' ;;
    'templates update') options='--name --subject --content --channel-type --tag --body-file --content-file --clear-tags --clear-channel-types --dry-run' arguments=('live templates') ;;
    'channels') words='update' ;;
    'channels update') options='--name --channel-type --description --enable --disable --settings-timeout --settings-retry-attempts --settings-retry-delay --config-file --template-id --recipient --tag --body-file --clear-recipients --clear-tags --dry-run' arguments=('live channels') ;;
    'batches') words='create cron' ;;
    'batches create') options='--name --cron --enabled --disabled --run-on-startup --no-run-on-startup --actions-file --body-file --dry-run' ;;
    'batches cron') options='--tz --count' arguments=('') ;;
    'credentials') words='create list delete rotate' ;;
    'credentials create') options='--name --scope --device-id --body-file --expires --secret-file --save-profile --force --dry-run' ;;
    'credentials list') options='--expiring-within --limit --all' ;;
    'credentials delete') options='--dry-run' arguments=('live credentials') ;;
    'credentials rotate') options='--name --scope --device-id --body-file --expires --secret-file --save-profile --force --dry-run' arguments=('live credentials') ;;
    'profiles') words='list show set use delete' ;;
    'profiles list')  ;;
    'profiles show') options='--origin' arguments=('live profiles') ;;
    'profiles set') options='--protected --no-protected' arguments=('live profiles' 'pairs baseUrl= tenant= app= org= output=table output=json output=ndjson output=yaml output=csv output=id allowHttp=true allowHttp=false caFile= batchBody=dto batchBody=input protected=true protected=false history=true history=false') repeated=1 ;;
    'profiles use') arguments=('live profiles') ;;
    'profiles delete') arguments=('live profiles') ;;
    'api') options='--field --raw-field --query-param --header --body-file --all --openapi --dry-run' arguments=('words GET POST PUT PATCH DELETE' 'live paths') ;;
    'doctor')  ;;
    'history') options='--since --limit --all' ;;
    'sandbox') words='start exec tour clock export' ;;
    'sandbox start') options='--port --latency --fault --seed --users --devices --clock --data --from --transcript' ;;
    'sandbox exec') options='--port --latency --fault --seed --users --devices --clock --data --from --transcript --expect' arguments=('command') repeated=1 ;;
    'sandbox tour') options='--port --latency --fault --seed --users --devices --clock --data --from --transcript' ;;
    'sandbox clock') arguments=('') ;;
    'sandbox export')  ;;
    'mcp') options='--allow-changes' ;;
    'completion') arguments=('words bash zsh fish powershell') ;;
    'help') words='login logout orgs devices policies templates channels batches credentials profiles api doctor history sandbox mcp completion environment exit-codes output authentication' ;;
    'help login') words='m2m status token refresh' ;;
    'help orgs') words='users delete' ;;
    'help orgs users') words='list' ;;
    'help devices') words='custom-info' ;;
    'help devices custom-info') words='set import' ;;
    'help policies') words='update' ;;
    'help templates') words='list update' ;;
    'help channels') words='update' ;;
    'help batches') words='create cron' ;;
    'help credentials') words='create list delete rotate' ;;
    'help profiles') words='list show set use delete' ;;
    'help sandbox') words='start exec tour clock export' ;;
    *) return 1 ;;
  esac
}

# Sets spec to what completes the value of option $2 behind the words of $1; false for a switch.
_iiot_spec() {
  spec=''
  case "$1:$2" in
    'orgs users list:--role') spec='words admin operator viewer' ;;
    'orgs users list:--sort') spec='words name name:desc orgRole orgRole:desc userId userId:desc' ;;
    'devices custom-info set:--body-file') spec='file' ;;
    'devices custom-info set:--from-file') spec='file' ;;
    'devices custom-info import:--body-file') spec='file' ;;
    'devices custom-info import:--format') spec='words csv ndjson json' ;;
    'devices custom-info import:--journal') spec='file' ;;
    'devices custom-info import:--on-error') spec='words continue stop' ;;
    'devices custom-info import:--failed-to') spec='file' ;;
    'policies update:--channel-id') spec='live channels' ;;
    'policies update:--template-id') spec='live templates' ;;
    'policies update:--body-file') spec='file' ;;
    'policies update:--content-file') spec='file' ;;
    'policies update:--notification-file') spec='file' ;;
    'templates list:--name') spec='live template-names' ;;
    'templates list:--channel-type') spec='words email teams linemessage webhook' ;;
    'templates update:--channel-type') spec='words email teams linemessage webhook' ;;
    'templates update:--body-file') spec='file' ;;
    'templates update:--content-file') spec='file' ;;
    'channels update:--channel-type') spec='words email teams linemessage webhook' ;;
    'channels update:--config-file') spec='file' ;;
    'channels update:--template-id') spec='live templates' ;;
    'channels update:--body-file') spec='file' ;;
    'batches create:--actions-file') spec='file' ;;
    'batches create:--body-file') spec='file' ;;
    'batches cron:--tz') spec='live zones' ;;
    'credentials create:--device-id') spec='live devices' ;;
    'credentials create:--body-file') spec='file' ;;
    'credentials create:--secret-file') spec='file' ;;
    'credentials create:--save-profile') spec='live profiles' ;;
    'credentials rotate:--device-id') spec='live devices' ;;
    'credentials rotate:--body-file') spec='file' ;;
    'credentials rotate:--secret-file') spec='file' ;;
    'credentials rotate:--save-profile') spec='live profiles' ;;
    'api:--body-file') spec='file' ;;
    'sandbox start:--data') spec='file' ;;
    'sandbox start:--from') spec='file' ;;
    'sandbox start:--transcript') spec='file' ;;
    'sandbox exec:--data') spec='file' ;;
    'sandbox exec:--from') spec='file' ;;
    'sandbox exec:--transcript') spec='file' ;;
    'sandbox exec:--expect') spec='file' ;;
    'sandbox tour:--data') spec='file' ;;
    'sandbox tour:--from') spec='file' ;;
    'sandbox tour:--transcript') spec='file' ;;
    'login:--columns') spec='list profile baseUrl flow account expiresAt loggedIn' ;;
    'login m2m:--columns') spec='list profile baseUrl flow account expiresAt loggedIn' ;;
    'login status:--columns') spec='list baseUrl signedIn why source profile flow account clientId renewable expiresAt accepted' ;;
    'login refresh:--columns') spec='list profile refreshed expiresAt' ;;
    'logout:--columns') spec='list profile loggedOut' ;;
    'orgs users list:--columns') spec='list userId name orgRole' ;;
    'devices custom-info set:--columns') spec='list deviceId customInfo' ;;
    'devices custom-info import:--columns') spec='list total done failed skipped notSent unknown' ;;
    'policies update:--columns') spec='list alertPolicyId updated policyName description alertLevel alertResetLevel delay notification' ;;
    'templates list:--columns') spec='list templateId name subject content channelTypes tags' ;;
    'templates update:--columns') spec='list templateId updated name subject content channelTypes tags' ;;
    'channels update:--columns') spec='list channelId updated name channelType description isEnabled commonSettings config templateId recipients tags' ;;
    'batches create:--columns') spec='list orgId name created' ;;
    'batches cron:--columns') spec='list expression words timeZone next warnings' ;;
    'credentials create:--columns') spec='list clientCredentialId clientId name createdAt expiredAt scopes deviceIds clientSecret' ;;
    'credentials list:--columns') spec='list clientCredentialId clientId name createdAt expiredAt scopes deviceIds' ;;
    'credentials rotate:--columns') spec='list clientCredentialId clientId name createdAt expiredAt scopes deviceIds clientSecret' ;;
    'profiles list:--columns') spec='list name current baseUrl org protected' ;;
    'profiles set:--columns') spec='list name' ;;
    'profiles use:--columns') spec='list name current' ;;
    'profiles delete:--columns') spec='list name deleted' ;;
    'doctor:--columns') spec='list check status says hint' ;;
    'history:--columns') spec='list at profile as baseUrl orgId operation about outcome status error requestId' ;;
    'sandbox start:--columns') spec='list url' ;;
    'sandbox clock:--columns') spec='list now moved' ;;
    *:--profile) spec='live profiles' ;;
    *:--base-url) spec='' ;;
    *:--org) spec='live organizations' ;;
    *:--output | *:-o) spec='words table json ndjson yaml csv id' ;;
    *:--columns) spec='' ;;
    *:--jq) spec='' ;;
    *:--protected-profile) spec='live profiles' ;;
    *:--timeout) spec='' ;;
    *:--retries) spec='' ;;
    *:--ca-file) spec='file' ;;
    *:--tenant | *:--app | *:--account | *:--client-id | *:--skip | *:--page-size | *:--role | *:--name | *:--sort | *:--limit | *:--org-name | *:--body-file | *:--null | *:--from-file | *:--format | *:--null-as | *:--concurrency | *:--rate | *:--journal | *:--on-error | *:--failed-to | *:--description | *:--alert-level | *:--alert-reset-level | *:--delay | *:--channel-id | *:--recipient | *:--template-id | *:--var | *:--subject | *:--content | *:--content-file | *:--notification-file | *:--channel-type | *:--tag | *:--settings-timeout | *:--settings-retry-attempts | *:--settings-retry-delay | *:--config-file | *:--cron | *:--actions-file | *:--tz | *:--count | *:--scope | *:--device-id | *:--expires | *:--secret-file | *:--save-profile | *:--expiring-within | *:--field | *:--raw-field | *:--query-param | *:--header | *:--since | *:--port | *:--latency | *:--fault | *:--seed | *:--users | *:--devices | *:--clock | *:--data | *:--from | *:--transcript | *:--expect) spec='' ;;
    *) return 1 ;;
  esac
}

_iiot() {
  local words options repeated arguments spec path='' pending='' ended='' position=0
  local line=${COMP_LINE:0:COMP_POINT} rest piece token='' current='' cut='' count=0 index
  local tokens
  tokens=()
  # bash has split the line at = and : as well; what stands together is one word.
  for ((index = 0; index <= COMP_CWORD; index++)); do
    piece=${COMP_WORDS[index]}
    rest=${line#"${line%%[![:space:]]*}"}
    ((index == COMP_CWORD)) && piece=$rest
    if ((index > 0)) && [[ $rest == "$line" && -n $rest ]]; then
      tokens[count - 1]+=$piece
    else
      tokens[count]=$piece
      count=$((count + 1))
    fi
    line=${rest#"$piece"}
  done
  current=${tokens[count - 1]}
  if [[ $piece == [=:]* ]]; then cut=$current; else cut=${current%"$piece"}; fi
  for ((index = 1; index < count - 1; index++)); do
    token=${tokens[index]}
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
        ls) word=list ;;
        rm) word=delete ;;
      esac
      if ((position == 0)) && _iiot_place "${path:+$path }$word"; then
        path="${path:+$path }$word"
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
    _iiot_spec "$path" "${current%%=*}" && _iiot_offer "${current%%=*}=" "${current#*=}"
  elif [[ -z $ended && $current == -* ]]; then
    spec="words $options --profile --base-url --org --output -o --json --quiet -q --columns --jq --csv-safe --yes -y --no-input --protected-profile --verbose -v --debug --timeout --retries --ca-file --no-color --help -h --version -V"
    _iiot_offer '' "$current"
  else
    spec="words $words"
    if ((position == 0)) && [[ -z $ended && -n $words ]]; then _iiot_offer '' "$current"; fi
    if ((position >= ${#arguments[@]})) && [[ -n $repeated ]]; then position=$((${#arguments[@]} - 1)); fi
    if ((position < ${#arguments[@]})); then
      spec=${arguments[position]}
      _iiot_offer '' "$current"
    fi
  fi
  # Only what stands behind the last = or : is replaced.
  for ((index = 0; index < ${#COMPREPLY[@]}; index++)); do
    COMPREPLY[index]=${COMPREPLY[index]#"$cut"}
  done
}

# Adds to COMPREPLY what the spec gives for a value that begins with $2, each behind $1.
_iiot_offer() {
  local each value=$2 head='' safe quote=''
  case $value in
    [\"\']*) quote=${value:0:1} value=${value:1} ;;
  esac
  value=${value//\\/}
  case $spec in
    'list '*)
      head=${value%"${value##*,}"}
      value=${value##*,}
      for each in ${spec#list }; do
        [[ $each == "$value"* ]] && COMPREPLY+=("$1$head$each")
      done
      compopt -o nospace 2>/dev/null
      ;;
    'words '*)
      for each in ${spec#words }; do
        [[ $each == "$value"* ]] && COMPREPLY+=("$1$each")
      done
      ;;
    'pairs '*)
      for each in ${spec#pairs }; do
        [[ $value == *=* ]] || each=${each%%=*}=
        [[ $each == "$value"* && " ${COMPREPLY[*]} " != *" $1$each "* ]] && COMPREPLY+=("$1$each")
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
        each=${each%%$'\t'*}
        [[ $each == "$value"* ]] || continue
        if [[ -n $quote ]]; then safe=$each; else printf -v safe %q "$each"; fi
        COMPREPLY+=("$1$safe")
      done < <("${tokens[0]}" __complete "${spec#live }" "${tokens[@]:1:count-2}" 2>/dev/null)
      ;;
  esac
}

complete -F _iiot iiot
