// What a command of the gateway's command line is: its words, its options, what it gives back.
import type { OperationAnswers } from '#gateway/control/answers.ts'
import type { OperationBody, OperationName } from '#gateway/control/operations.ts'

/** What the shell is told; scripts may rely on it. */
export const EXIT = { ok: 0, failed: 1, usage: 2, notRunning: 3, printerFault: 4, relayUnreachable: 5 } as const

/** A refusal that the person can act on: told on standard error without a stack. */
export class LineError extends Error {
  override readonly name = 'LineError'
  readonly exitCode: number

  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message)
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
}

/** One line as typed: words and options are text, unchecked but known. */
export interface Line {
  words: readonly string[]
  options: Readonly<Record<string, string | boolean | undefined>>
  /** Asks the running gateway. @throws LineError */
  call: <N extends OperationName>(name: N, body: OperationBody<N>) => Promise<OperationAnswers[N]>
  /** Where the gateway's page is to listen, as it is set. */
  page: { host: string; port: number }
  /** Where the updater notes what it did; null: this gateway was not installed as a package. */
  updateFolder: string | null
  /** The control socket; its folder is the gateway's. */
  socketPath: string
  /** Tells a person something before the end; not shown with --json. */
  progress: (text: string) => void
}

export interface Command {
  /** One or two words, noun first: `printers add`. */
  name: string
  /** Its further words, such as `<printer> <code>`; brackets mean that they may be left out. */
  usage: string
  /** One line without a full stop. */
  summary: string
  options: Readonly<Record<string, OptionHelp>>
  /** Arguments of lines that work. */
  examples: readonly string[]
  run: (line: Line) => Promise<Output>
}

/** Commands that the help shows together. */
export interface CommandGroup {
  title: string
  commands: readonly Command[]
}

/** The word at this place. @throws LineError when it is not there, and the usage has said that it must be */
export function word({ words }: Line, index: number): string {
  const text = words[index]
  if (text === undefined) throw new LineError(`word ${index + 1} is missing`, EXIT.usage)
  return text
}

/** An option's text; undefined when it was not given. */
export function text({ options }: Line, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** A whole number. @throws LineError that names the option */
export function wholeNumber(line: Line, name: string): number | undefined {
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
