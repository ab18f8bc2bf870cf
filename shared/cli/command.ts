// What a command of a command line is: its words, its options, what it gives back, and how it refuses.

/** Exit codes that every command line shares; each may add its own from 3 on. Scripts rely on them. */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const

/** A refusal that the person can act on: printed on standard error without a stack. */
export class LineError extends Error {
  override readonly name: string = 'LineError'
  readonly exitCode: number

  constructor(message: string, exitCode: number = EXIT.failed, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/** What a command found or did. `data` is what --json prints; `text` is for people. */
export interface Output {
  data: unknown
  text: string
  /** Default: EXIT.ok. */
  exitCode?: number
}

export interface OptionHelp {
  /** How its value is shown, such as `<seconds>`; absent: a switch. */
  value?: string
  text: string
  /** The values that it takes, where `value` does not list them. */
  choices?: readonly string[]
  /** The line is refused without it. */
  required?: boolean
  /** May be given several times; its value is then a list. */
  repeats?: boolean
}

export type OptionValue = string | boolean | readonly (string | boolean)[] | undefined

/** One line as typed: words and options are text, known but unchecked. */
export interface Line {
  words: readonly string[]
  options: Readonly<Record<string, OptionValue>>
  /** Prints a message before the command ends; nothing with --json. */
  progress: (text: string) => void
}

/** What each program's commands have in common; `L` is what they get to work with. */
export interface Command<L extends Line = Line> {
  /** One or two words, noun first: `printers add`. */
  name: string
  /** Its further words, such as `<printer> <code>`; brackets mean that they may be left out. */
  usage: string
  /** One line without a full stop. */
  summary: string
  options: Readonly<Record<string, OptionHelp>>
  /** Arguments of lines that work. */
  examples: readonly string[]
  /** What is wrong with the line as typed, one sentence each; the help is printed below them. */
  problems?: (line: Pick<Line, 'words' | 'options'>) => readonly string[]
  /** @throws LineError */
  run: (line: L) => Promise<Output>
}

/** Commands that the help shows together. */
export interface CommandGroup<C> {
  title: string
  commands: readonly C[]
}

/** The word at this place. @throws LineError when it is missing although the usage demands it */
export function word({ words }: Pick<Line, 'words'>, index: number): string {
  const text = words[index]
  if (text === undefined) throw new LineError(`word ${index + 1} is missing`, EXIT.usage)
  return text
}

/** An option's text; undefined when it was not given. */
export function text({ options }: Pick<Line, 'options'>, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** All values of an option that repeats. */
export function texts({ options }: Pick<Line, 'options'>, name: string): string[] {
  const value = options[name]
  return [value ?? []].flat().filter((one) => typeof one === 'string')
}

/** A whole number. @throws LineError that names the option */
export function wholeNumber(line: Pick<Line, 'options'>, name: string): number | undefined {
  const value = text(line, name)
  if (value === undefined) return undefined
  if (!/^\d{1,9}$/.test(value)) throw new LineError(`--${name} must be a whole number`, EXIT.usage)
  return Number(value)
}

/** `grill,fry` as a list. */
export function list(value: string): string[] {
  return value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
}

/** @throws LineError that names what is allowed */
export function oneOf<T extends string>(what: string, allowed: readonly T[], typed: string): T {
  const found = allowed.find((one) => one === typed)
  if (found === undefined) throw new LineError(`${what} must be one of ${allowed.join(', ')}`, EXIT.usage)
  return found
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 }

/** `45s`, `10m`, `2h` in milliseconds. @throws LineError that names the option */
export function durationMs(name: string, value: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([smh])$/.exec(value) ?? []
  const unitMs = UNIT_MS[unit]
  if (unitMs === undefined) throw new LineError(`--${name} must be a time such as 45s, 10m or 2h`, EXIT.usage)
  return Number(count) * unitMs
}
