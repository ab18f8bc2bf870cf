// The help texts of the operator's command line, made from the commands themselves.
import { aligned } from '#shared/terminal-text.ts'
import { type Command, descriptionOf, flagOf, isOptional, isSwitch } from './command.ts'

const LINE = 'npm run -s cloud -- admin'

/** All commands, and the way from nothing to the first live order. */
export function generalHelp(commands: readonly Command[]): string {
  return `The operator's command line of the relay. The running relay does the work; without one it is done on the database itself, that of DATABASE_URL or the file CLOUD_DATABASE.

  ${LINE} <noun> <verb> [--options] [--json]
  ${LINE} help <noun> [<verb>]

From nothing to a live order:
  1  accounts create --name "Kiosk Company"                       an account, its sandbox and a sandbox key
  2  accounts approve --account acc_... --plan starter            live keys and billing from now on
  3  merchants create --account acc_... --name "Bistro" --time-zone America/New_York
  4  items import --merchant M-PROD-... --file menu.csv
  5  gateways code --location loc_... --name "Kitchen Pi"         type the code into the box within 15 minutes
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
    return [flag, `${descriptionOf(schema)}${isOptional(schema) ? '' : ' (required)'}`]
  })
  const lines = options.length === 0 ? [] : [aligned(options, '    ')]
  const example = `    for example: ${LINE} ${command.name} ${command.example}`.trimEnd()
  return [command.name, `    ${command.summary}`, ...lines, example].join('\n')
}

function listOf(commands: readonly Command[]): string {
  return aligned(
    commands.map(({ name, summary }) => [name, summary]),
    '  ',
  )
}
