// Completion for bash, made from the commands themselves: nouns, verbs, options, and the words that an option takes.
import type { Command } from './command.ts'

const EVERYWHERE = ['--json', '--socket', '--help']

/** A script that `source` takes, or that lies in /usr/share/bash-completion/completions. */
export function bashCompletion(commands: readonly Command[]): string {
  const nouns = [...new Set(commands.map(({ name }) => nounOf(name)))]
  const verbs = nouns.flatMap((noun) => {
    const own = commands.map(({ name }) => name.split(' ')).flatMap(([first, verb]) => (first === noun && verb) || [])
    return own.length === 0 ? [] : caseOf(`"${noun} "`, own)
  })
  const options = commands.map((command) => {
    const pattern = command.name.includes(' ') ? `"${command.name}"` : `"${command.name} "*`
    return caseOf(pattern, [...Object.keys(command.options).map((name) => `--${name}`), ...EVERYWHERE])
  })
  return `# bash completion of ticketrail-gateway
_ticketrail_gateway() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} words=
  local noun=\${COMP_WORDS[1]} verb=\${COMP_WORDS[2]-} at=$COMP_CWORD
  if [ "$noun" = help ] && [ "$at" -gt 1 ]; then noun=$verb verb=\${COMP_WORDS[3]-} at=$((at - 1)); fi
  [ "$at" -gt 2 ] || verb=
  if [ "$at" -eq 1 ]; then
    words="run help ${nouns.join(' ')} --help --version"
  else
    case "$noun $verb" in
${[...verbs, ...options].join('\n')}
    esac
    case $before in
${valueCases(commands).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
# Where none of our words fits, names of files.
complete -o default -F _ticketrail_gateway ticketrail-gateway
`
}

/** Options whose help names the words that they take, such as `<reprint|hold>`. */
function valueCases(commands: readonly Command[]): string[] {
  const taken = new Map(
    commands.flatMap(({ options }) =>
      Object.entries(options).flatMap(([name, { value = '' }]) => {
        const [, choice] = /^<([a-z-]{2,}(?:\|[a-z-]{2,})+)>$/.exec(value) ?? []
        return choice === undefined || choice.startsWith('printer|') ? [] : [[name, choice.split('|')] as const]
      }),
    ),
  )
  return [...taken].map(([name, words]) => caseOf(`--${name}`, words))
}

function caseOf(pattern: string, words: readonly string[]): string {
  return `    ${pattern}) words="${words.join(' ')}" ;;`
}

function nounOf(name: string): string {
  return name.split(' ')[0] ?? ''
}
