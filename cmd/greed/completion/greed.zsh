#compdef greed
# Completes command lines of greed in zsh: put this file as _greed into a folder of $fpath.
_greed() {
    local -a lines found
    local kind line
    lines=("${(@f)$("${words[1]}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    kind=$lines[1]
    case $kind in
    files | folders)
        [[ $words[CURRENT] == --*=* ]] && compset -P '*='
        [[ $kind == folders ]] && _files -/ || _files
        ;;
    words)
        for line in "${(@)lines[2,-1]}"; do
            found+=("${${line%%$'\t'*}//:/\\:}${${line#*$'\t'}:+:${line#*$'\t'}}")
        done
        _describe -V greed found
        ;;
    esac
}
if [[ $funcstack[1] == _greed ]]; then
    _greed "$@"
else
    compdef _greed greed
fi
