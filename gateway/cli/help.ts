// The help of the command line, made from the commands themselves.
import { aligned } from '#shared/terminal-text.ts'
import type { Command, CommandGroup } from './command.ts'

/** `program`: how it is called. All commands, and the way from an empty box to a tested printer. */
export function generalHelp(groups: readonly CommandGroup[], program: string): string {
  const width = Math.max(...groups.flatMap(({ commands }) => commands.map(({ name }) => name.length)))
  const lists = groups.map(({ title, commands }) => {
    const rows = commands.map(({ name, summary }) => [name.padEnd(width), summary])
    return `${title}:\n${aligned(rows, '  ')}`
  })
  return `The kitchen print gateway, and the command line of the gateway that runs on this machine.

  ${program} <command> [--json]
  ${program} help <command>       its words, its options, and lines that work
  ${program} run                  the gateway itself; so does no command at all

From an empty box to a tested printer:
  1  discover                                       what answers on this network
  2  printers add Grill 192.168.1.50                it is asked what it is, and gets the profile that fits
  3  printers test Grill                            look at the ticket: width, accents, cut
  4  printers verify Grill 4711                     the code on the ticket: now it is known to print
  5  printers set Grill --stations grill,fry        what it gets
  6  test-order                                     an order to every printer and screen: all green?

${lists.join('\n\n')}

<printer> and <display> are a name or an id. Data goes to standard output, messages to standard error. --json prints JSON for programs.
--socket <path> names the control socket of another gateway. Nothing is coloured. Secrets are asked for, or read from
standard input; none stands on the command line.

Exit codes: 0 done, 1 failed, 2 not understood, 3 the gateway is not running, 4 the printer cannot do it now,
5 the relay cannot be reached.`
}

/** Of one command, or of all that begin with the noun. */
export function commandHelp(command: Command, program: string): string {
  const options = Object.entries(command.options).map(([name, { value, text }]) => [
    `--${name}${value === undefined ? '' : ` ${value}`}`,
    text,
  ])
  const examples = command.examples.map((example) => `    ${program} ${command.name} ${example}`.trimEnd())
  return [
    `${command.name} ${command.usage}`.trimEnd(),
    `    ${command.summary}`,
    ...(options.length === 0 ? [] : [aligned(options, '    ')]),
    '  For example:',
    ...examples,
  ].join('\n')
}
