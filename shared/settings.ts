// Reads a program's settings from its environment by the program's own zod schema.
import type { z } from 'zod'

/** The settings cannot be used; the message names each variable and what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Reads the settings. An empty variable counts as absent. @throws ConfigError */
export function readSettings<S extends z.ZodType>(
  schema: S,
  env: Readonly<Record<string, string | undefined>>,
): z.output<S> {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = schema.safeParse(present)
  if (parsed.success) return parsed.data
  const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)
  throw new ConfigError(`The settings cannot be used. ${lines.join('; ')}.`)
}
