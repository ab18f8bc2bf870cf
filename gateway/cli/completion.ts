// Completion for bash, made from the commands themselves: nouns, verbs, options.
import type { Command } from './command.ts'

/** A script that `source` takes, or that lies in /usr/share/bash-completion/completions. */
export function bashCompletion(commands: readonly Command[]): string {
  const nouns = [...new Set(['run', 'help', ...commands.map(({ name }) => firstOf(name))])]
  const cases = nouns.flatMap((noun) => {
    const own = commands.filter(({ name }) => firstOf(name) === noun)
    if (own.length === 0) return []
    const verbs = own.map(({ name }) => name.split(' ')[1]).filter((verb) => verb !== undefined)
    const options = own.flatMap((command) => Object.keys(command.options).map((option) => `--${option}`))
    return [`    ${noun}) words="${[...new Set([...verbs, ...options, '--json', '--help'])].join(' ')}" ;;`]
  })
  return `# bash completion of ticketrail-gateway
_ticketrail_gateway() {
  local current=\${COMP_WORDS[COMP_CWORD]} words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${nouns.join(' ')} --help --version"
  else
    case \${COMP_WORDS[1]} in
${cases.join('\n')}
    help) words="${nouns.join(' ')}" ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _ticketrail_gateway ticketrail-gateway
`
}

const firstOf = (name: string): string => name.split(' ')[0] ?? ''
