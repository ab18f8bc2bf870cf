// The help texts of the operator's command line, made from the commands themselves.
import { type Command, descriptionOf, flagOf, isOptional, isSwitch } from './command.ts'

const LINE = 'npm run -s cloud -- admin'

/** All commands, and the way from nothing to the first live order. */
export function generalHelp(commands: readonly Command[]): string {
  return `The operator's command line of the relay. It works on CLOUD_DATABASE, whether the relay runs or not.

  ${LINE} <noun> <verb> [--options] [--json]
  ${LINE} help <noun> [<verb>]

From nothing to a live order:
  1  accounts create --name "Kiosk Company"                       an account, its sandbox and a sandbox key
  2  accounts approve --account acc_... --plan starter            live keys and billing from now on
  3  merchants create --account acc_... --name "Bistro" --time-zone America/New_York
  4  items import --merchant M-PROD-... --file menu.csv
  5  gateways add --location loc_... --name "Kitchen Pi" --broker-url mqtts://relay.example:8883
  6  keys create --account acc_... --environment live --scopes orders:read,orders:write,menu:read

Commands:
${listOf(commands)}

--json prints JSON for programs. Keys and passwords are shown once, when they are made. Every change is kept: \`audit list\`.`
}

/** The commands of one noun, each with its options. */
export function nounHelp(commands: readonly Command[], noun: string): string {
  return commands
    .filter(({ name }) => name.startsWith(`${noun} `))
    .map(commandHelp)
    .join('\n\n')
}

export function commandHelp(command: Command): string {
  const options = Object.entries(command.options).map(([name, schema]) => {
    const flag = `--${flagOf(name)}${isSwitch(schema) ? '' : ' ...'}`
    return { flag, text: `${descriptionOf(schema)}${isOptional(schema) ? '' : ' (required)'}` }
  })
  const width = Math.max(0, ...options.map(({ flag }) => flag.length))
  const lines = options.map(({ flag, text }) => `    ${flag.padEnd(width)}  ${text}`)
  const example = `    for example: ${LINE} ${command.name} ${command.example}`.trimEnd()
  return [command.name, `    ${command.summary}`, ...lines, example].join('\n')
}

/** The three commands whose names are most like what was typed. */
export function nearestCommands(commands: readonly Command[], typed: string): string[] {
  return commands
    .map(({ name }) => ({ name, far: distance(name, typed) }))
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ name }) => name)
}

function listOf(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  return commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join('\n')
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
