# Completes command lines of greed in bash 4 and later.
_greed() {
    local cur=${COMP_WORDS[COMP_CWORD]} kind line words=() i
    # Bash takes --flag=value apart; greed does not.
    for ((i = 1; i <= COMP_CWORD; i++)); do
        if [[ ${#words[@]} -gt 0 && (${COMP_WORDS[i]} == = || ${COMP_WORDS[i - 1]} == =) && ${words[-1]} == --* ]]; then
            words[-1]+=${COMP_WORDS[i]}
        else
            words+=("${COMP_WORDS[i]}")
        fi
    done
    [[ $cur == = ]] && cur=
    COMPREPLY=()
    {
        IFS= read -r kind || return
        case $kind in
        files | folders)
            compopt -o filenames
            local option=-f
            [[ $kind == folders ]] && option=-d
            while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$option" -- "$cur")
            ;;
        words)
            while IFS= read -r line; do
                line=${line%%$'\t'*}
                COMPREPLY+=("${line#"${words[-1]%"$cur"}"}")
            done
            ;;
        esac
    } < <("${COMP_WORDS[0]}" complete -- "${words[@]}" 2>/dev/null)
}
complete -F _greed greed
