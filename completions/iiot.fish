# iiot: completions for fish, 3.0 and newer. `iiot __complete` knows what may follow; fish quotes it.

function __iiot_complete
    set -l given (commandline -opc)
    set -l program (string replace -r '^~/' $HOME/ -- $given[1])
    set -e given[1]
    # An alias, or a path that only the line expands.
    command -sq $program; or set program iiot
    command -sq $program; or return
    set -l current (commandline -ct | string collect)
    set -l answer ($program __complete fish $given "$current" </dev/null 2>/dev/null | string split0)
    switch "$answer[1]"
        case file
            for each in (__fish_complete_path "$answer[3]")
                printf '%s\n' "$answer[2]$each"
            end
        case command
            __fish_complete_command
        case words
            set -e answer[1]
            # A value may have a line end in it.
            printf '%s\0' $answer | string split0
    end
end

complete -c iiot -e
complete -c iiot -f -k -a '(__iiot_complete)'
