// Completion for bash, zsh and fish, made from the commands: nouns, verbs, options, and the words that an option takes.
import { type Command, EXIT, type Line, type OptionHelp, oneOf } from './command.ts'
import { commandsOf, type Program } from './help.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

export interface Completed {
  /** The name under which the program is installed, such as `ticketrail-gateway`. */
  installedAs: string
  /** First words that are not in the list of commands, such as `run`. */
  alsoFirst: readonly string[]
  program: Pick<Program, 'groups' | 'options'>
}

/** The command `completion`; `completed` is called when it runs, because the command is itself in the list. */
export function completionCommand(installedAs: string, completed: () => Completed): Command<Line> {
  return {
    name: 'completion',
    usage: '[bash|zsh|fish]',
    summary: 'Prints a script that completes these commands in your shell; for bash by default',
    options: {},
    examples: [
      `bash > ~/.local/share/bash-completion/completions/${installedAs}`,
      `zsh > ~/.zfunc/_${installedAs}`,
      `fish > ~/.config/fish/completions/${installedAs}.fish`,
    ],
    run: async ({ words: [typed = 'bash'] }) => {
      const script = completionScript(oneOf('the shell', SHELLS, typed), completed())
      return { data: script, text: script.trimEnd(), exitCode: EXIT.ok }
    },
  }
}

/** For bash: a script for `source`, or for /usr/share/bash-completion/completions. */
export function completionScript(shell: Shell, { installedAs, alsoFirst, program }: Completed): string {
  const commands = commandsOf({ ...program, name: '', intro: '', outro: '' })
  const everywhere = { json: { text: 'JSON for programs' }, ...program.options, help: { text: 'Help of the command' } }
  const tables = tablesOf(commands, everywhere, alsoFirst)
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](installedAs, tables)
}

interface Offered {
  word: string
  text: string
  option?: OptionHelp
}

interface Tables {
  first: readonly Offered[]
  /** What can follow a noun. */
  verbs: readonly { noun: string; words: readonly Offered[] }[]
  /** What can follow a whole command: words, then options. */
  options: readonly { command: string; words: readonly Offered[] }[]
  /** Options whose help names the words that they take, such as `<reprint|hold>`. */
  values: ReadonlyMap<string, readonly string[]>
}

function tablesOf(
  commands: readonly Omit<Command, 'run'>[],
  everywhere: Readonly<Record<string, OptionHelp>>,
  alsoFirst: readonly string[],
): Tables {
  const nouns = [...new Set(commands.map(({ name }) => nounOf(name)))]
  const verbsOf = (noun: string) =>
    commands
      .filter(({ name }) => name.startsWith(`${noun} `))
      .map(({ name, summary }) => ({ word: name.split(' ')[1] ?? '', text: summary }))
  const flags = (options: Command['options']) =>
    Object.entries(options).map(([name, option]) => ({ word: `--${name}`, text: option.text, option }))
  return {
    first: [
      ...[...alsoFirst, 'help'].map((word) => ({ word, text: '' })),
      ...nouns.map((noun) => ({ word: noun, text: commands.find(({ name }) => name === noun)?.summary ?? '' })),
      ...['--help', '--version'].map((word) => ({ word, text: '' })),
    ],
    verbs: nouns.map((noun) => ({ noun, words: verbsOf(noun) })).filter(({ words }) => words.length > 0),
    options: commands.map(({ name, usage, options }) => ({
      command: name,
      words: [
        ...choicesIn(usage.split(' ')[0] ?? '').map((word) => ({ word, text: '' })),
        ...flags(options),
        ...flags(everywhere),
      ],
    })),
    values: new Map(
      commands.flatMap(({ options }) =>
        Object.entries(options)
          .map(([name, { value = '', choices = choicesIn(value) }]) => [`--${name}`, choices] as const)
          .filter(([, words]) => words.length > 0),
      ),
    ),
  }
}

/** `<reprint|hold>` or `[bash|zsh|fish]` names the words; `<printer|none>` does not name the printers. */
function choicesIn(shown: string): string[] {
  const [, choice] = /^[<[]([a-z.-]{2,}(?:\|[a-z.-]{2,})+)[>\]]$/.exec(shown) ?? []
  return choice === undefined || choice.startsWith('printer|') ? [] : choice.split('|')
}

function nounOf(name: string): string {
  return name.split(' ')[0] ?? ''
}

/** A command of two words as the shell's `case` sees it; one of one word may be followed by anything. */
function patternOf(command: string): string {
  return command.includes(' ') ? `"${command}"` : `"${command} "*`
}

function bashScript(installedAs: string, { first, verbs, options, values }: Tables): string {
  const caseOf = (pattern: string, words: readonly string[]) => `    ${pattern}) words="${words.join(' ')}" ;;`
  const texts = (words: readonly Offered[]) => words.map(({ word }) => word)
  const fn = functionOf(installedAs)
  return `# bash completion of ${installedAs}
${fn}() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} words=
  local noun=\${COMP_WORDS[1]} verb=\${COMP_WORDS[2]-} at=$COMP_CWORD
  if [ "$noun" = help ] && [ "$at" -gt 1 ]; then noun=$verb verb=\${COMP_WORDS[3]-} at=$((at - 1)); fi
  [ "$at" -gt 2 ] || verb=
  if [ "$at" -eq 1 ]; then
    words="${texts(first).join(' ')}"
  else
    case "$noun $verb" in
${[
  ...verbs.map(({ noun, words }) => caseOf(`"${noun} "`, texts(words))),
  ...options.map(({ command, words }) => caseOf(patternOf(command), texts(words))),
].join('\n')}
    esac
    case $before in
${[...values].map(([name, words]) => caseOf(name, words)).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
# Where none of our words fits, names of files.
complete -o default -F ${fn} ${installedAs}
`
}

function zshScript(installedAs: string, { first, verbs, options, values }: Tables): string {
  const offer = (words: readonly Offered[]) =>
    words.map(({ word, text }) => quoted(text === '' ? word : `${word}:${text}`)).join(' ')
  const caseOf = (pattern: string, words: readonly Offered[]) => `    ${pattern}) offered=(${offer(words)}) ;;`
  const fn = functionOf(installedAs)
  return `#compdef ${installedAs}
# zsh completion of ${installedAs}
${fn}() {
  local before=\${words[CURRENT-1]} noun=\${words[2]} verb=\${words[3]} at=$((CURRENT - 1))
  local -a offered
  if [[ $noun == help && $at -gt 1 ]]; then noun=$verb verb=\${words[4]} at=$((at - 1)); fi
  [[ $at -gt 2 ]] || verb=
  if [[ $at -eq 1 ]]; then
    offered=(${offer(first)})
  else
    case "$noun $verb" in
${[
  ...verbs.map(({ noun, words }) => caseOf(`"${noun} "`, words)),
  ...options.map(({ command, words }) => caseOf(patternOf(command), words)),
].join('\n')}
    esac
    case $before in
${[...values].map(([name, words]) => `    ${name}) offered=(${words.join(' ')}) ;;`).join('\n')}
    esac
  fi
  # Where none of our words fits, names of files.
  _describe '${installedAs}' offered || _files
}
if [[ $funcstack[1] == ${fn} ]]; then ${fn} "$@"; else compdef ${fn} ${installedAs}; fi
`
}

function fishScript(installedAs: string, { first, verbs, options, values }: Tables): string {
  const at = `_${functionOf(installedAs)}_at`
  const line = (condition: string, { word, text, option }: Offered) => {
    const told = text === '' ? '' : ` -d ${quoted(text)}`
    const where = `complete -c ${installedAs} -n ${quoted(condition)}`
    if (!word.startsWith('--')) return `${where} -f -a ${quoted(word)}${told}`
    const taken = option?.value === undefined ? '' : takenBy(values.get(word))
    return `${where} -l ${word.slice(2)}${taken}${told}`
  }
  return `# fish completion of ${installedAs}
# Whether the words before the cursor are these; \`more\`: or begin with these.
function ${at}
    set -l typed (commandline -opc)[2..-1]
    if test "$typed[1]" = help
        set typed $typed[2..-1]
    end
    set -l wanted (string split -n ' ' -- $argv[2])
    if test $argv[1] = more; and test (count $wanted) -gt 0
        set typed $typed[1..(count $wanted)]
    end
    test "$typed" = "$wanted"
end
${[
  ...first.map((offered) => line(`${at} exact ""`, offered)),
  ...verbs.flatMap(({ noun, words }) => words.map((offered) => line(`${at} exact "${noun}"`, offered))),
  ...options.flatMap(({ command, words }) => words.map((offered) => line(`${at} more "${command}"`, offered))),
].join('\n')}
`
}

function takenBy(words: readonly string[] | undefined): string {
  return words === undefined ? ' -r' : ` -x -a ${quoted(words.join(' '))}`
}

function functionOf(installedAs: string): string {
  return `_${installedAs.replaceAll('-', '_')}`
}

/** Within single quotes, for zsh and fish alike. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "'\\''")}'`
}
