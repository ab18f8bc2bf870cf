// The help of the command line, made from the commands themselves.
import type { Command } from './command.ts'

/** `program`: how it is called. All commands, and the way from an empty box to a tested printer. */
export function generalHelp(commands: readonly Command[], program: string): string {
  const names = commands.map((command) => `${command.name} ${command.usage}`.trimEnd())
  const width = Math.max(...names.map((name) => name.length), 'run'.length)
  const lines = commands.map(({ summary }, index) => `  ${(names[index] ?? '').padEnd(width)}  ${summary}`)
  return `The kitchen print gateway, and the command line of the gateway that runs on this machine.

  ${program} <command> [--json]
  ${program} help <command>

From an empty box to a tested printer:
  1  discover                                       what answers on this network
  2  printers add Grill 192.168.1.50                it is asked what it is, and gets the profile that fits
  3  printers test Grill                            look at the ticket: width, accents, cut
  4  printers verify Grill 4711                     the code on the ticket: now it is known to print
  5  printers set Grill --stations grill,fry        what it gets
  6  route what-if order.json                       where an order would go, and why

Commands:
  ${'run'.padEnd(width)}  Run the gateway; what it does without a command
${lines.join('\n')}

<printer> is a name or an id. Data goes to standard output, messages to standard error. --json prints JSON for programs.
--socket <path> names the control socket of another gateway. Exit codes: 0 done, 1 failed, 2 not understood,
3 the gateway is not running, 4 the printer cannot do it now.`
}

/** Of one command, or of all that begin with the noun. */
export function commandHelp(command: Command, program: string): string {
  const options = Object.entries(command.options).map(([name, { value, text }]) => ({
    flag: `--${name}${value === undefined ? '' : ` ${value}`}`,
    text,
  }))
  const width = Math.max(0, ...options.map(({ flag }) => flag.length))
  const lines = options.map(({ flag, text }) => `    ${flag.padEnd(width)}  ${text}`)
  const examples = command.examples.map((example) => `    ${program} ${command.name} ${example}`.trimEnd())
  return [
    `${command.name} ${command.usage}`.trimEnd(),
    `    ${command.summary}`,
    ...lines,
    '  For example:',
    ...examples,
  ].join('\n')
}

/** The three commands whose names are most like what was typed. */
export function nearestCommands(commands: readonly Command[], typed: string): string[] {
  return commands
    .map(({ name }) => ({ name, far: distance(name, typed) }))
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ name }) => name)
}

/** Levenshtein. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
