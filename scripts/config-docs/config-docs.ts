// The text of docs/configuration.md and .env.example: one row, one commented line, for each variable of the two programs.
import type { z } from 'zod'
import { cloudConfig } from '#cloud/config.ts'
import { gatewayConfig } from '#gateway/config.ts'

interface Setting {
  name: string
  /** Text as one would write it into the environment; null when there is none. */
  fallback: string | null
  required: boolean
  description: string
}

interface Program {
  title: string
  command: string
  settings: readonly Setting[]
}

/** Both files, with their paths from the project's folder. */
export function configFiles(): { path: string; text: string }[] {
  const programs: Program[] = [
    { title: 'Relay', command: 'npm run cloud', settings: settingsOf(cloudConfig) },
    { title: 'Gateway', command: 'npm run gateway', settings: settingsOf(gatewayConfig) },
  ]
  return [
    { path: 'docs/configuration.md', text: configurationPage(programs) },
    { path: '.env.example', text: envExample(programs) },
  ]
}

/** @throws Error when a variable has no description: every one must be explained. */
function settingsOf(schema: z.ZodObject): Setting[] {
  return Object.entries<z.ZodType>(schema.shape).map(([name, field]) => {
    const layers = layersOf(field)
    const description = layers.map((layer) => layer.description).find((text) => text !== undefined)
    if (description === undefined) throw new Error(`${name} has no .describe()`)
    const fallback = layers.map(defaultOf).find((value) => value !== undefined)
    // Asked of the schema itself: however it is built, a variable that may be absent is not required.
    const required = !field.safeParse(undefined).success
    return { name, description, fallback: fallback ?? null, required }
  })
}

interface Layer {
  description?: string | undefined
  def: { type: string; innerType?: unknown; in?: unknown; defaultValue?: unknown }
}

/** The schema and what it wraps (`optional`, `default`) or reads before it changes it (`transform`), from outside to inside. */
function layersOf(field: unknown): Layer[] {
  const layer = field as Layer
  const inner = layer.def.innerType ?? layer.def.in
  return inner === undefined ? [layer] : [layer, ...layersOf(inner)]
}

function defaultOf({ def }: Layer): string | undefined {
  if (def.type !== 'default') return undefined
  return Array.isArray(def.defaultValue) ? def.defaultValue.join(',') : String(def.defaultValue)
}

function configurationPage(programs: readonly Program[]): string {
  const parts = programs.map(
    ({ title, command, settings }) =>
      `## ${title} (\`${command}\`)\n\n${table([['variable', 'default', 'meaning'], ...settings.map(cells)])}\n`,
  )
  return `<!-- Made by \`npm run docs:config\` from cloud/config.ts and gateway/config.ts. Do not edit. -->

# Configuration

Both programs read environment variables only. A wrong value ends the program with exit code 78 and one line that names the variable. An empty variable counts as absent. [.env.example](../.env.example) has them all; \`node --env-file=.env cloud/main.ts\` reads such a file.

${parts.join('\n')}`
}

function cells({ name, fallback, required, description }: Setting): string[] {
  const shown = required ? 'required' : fallback ? `\`${fallback}\`` : 'none'
  return [`\`${name}\``, shown, description.replaceAll('|', '\\|')]
}

/** A table with columns of equal width, as the formatter wants it. The first row is the head. */
function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}

function envExample(programs: readonly Program[]): string {
  const parts = programs.map(
    ({ title, command, settings }) => `# ---- ${title}: ${command}\n\n${settings.map(envLines).join('\n')}`,
  )
  return `# Made by npm run docs:config from cloud/config.ts and gateway/config.ts. Do not edit; copy it to .env.\n\n${parts.join('\n')}`
}

function envLines({ name, fallback, required, description }: Setting): string {
  const value = required ? `${name}=` : `#${name}=${fallback ?? ''}`
  return `# ${description}${required ? ' (required)' : ''}\n${value}\n`
}
