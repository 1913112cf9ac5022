# Completes command lines of greed in fish.
function __greed_complete
    set -l words (commandline -opc)
    set -l cur (commandline -ct)
    set -l lines (command $words[1] complete -- $words[2..-1] $cur 2>/dev/null)
    set -l flag (string match -r '^--[^=]*=' -- $cur)
    set -l begun (string replace -r '^--[^=]*=' '' -- $cur)
    switch "$lines[1]"
        case files
            for path in (__fish_complete_path "$begun")
                printf '%s%s\n' "$flag" $path
            end
        case folders
            for path in (__fish_complete_directories "$begun")
                printf '%s%s\n' "$flag" $path
            end
        case words
            printf '%s\n' $lines[2..-1]
    end
end
complete -c greed -f -a '(__greed_complete)'
