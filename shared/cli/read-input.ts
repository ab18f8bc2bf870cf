// Reads the input of a command: a file, or standard input for `-`; a typed answer; a secret that is not shown.
import { readFileSync, readSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { isatty, ReadStream } from 'node:tty'
import { codeOf } from '#shared/code-of.ts'
import { EXIT, type Line, LineError } from './command.ts'

const STANDARD_INPUT = 0
const NEW_LINE = 10
const LONGEST_ANSWER = 1_000

/** @throws LineError when it cannot be read */
export function readInput(path: string): Buffer {
  try {
    return readFileSync(path === '-' ? STANDARD_INPUT : path)
  } catch (error) {
    const code = codeOf(error) || 'unknown'
    throw new LineError(`${path} cannot be read (${code})`, EXIT.failed)
  }
}

/** @throws LineError when it is not JSON */
export function readJson(path: string): unknown {
  const text = readInput(path).toString('utf8')
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : ''
    throw new LineError(`${path} is not JSON: ${why}`, EXIT.usage)
  }
}

/** What a person types after the question, or the first line of standard input. @throws LineError when there is none */
export function asked({ progress }: Pick<Line, 'progress'>, question: string): string {
  progress(question)
  const letter = Buffer.alloc(1)
  const bytes: number[] = []
  try {
    while (bytes.length < LONGEST_ANSWER && readSync(STANDARD_INPUT, letter) === 1 && letter[0] !== NEW_LINE)
      bytes.push(letter[0] ?? 0)
  } catch {
    // Closed, or nothing there to wait for.
  }
  const answer = Buffer.from(bytes).toString('utf8').trim()
  if (answer === '') throw new LineError(`${question} nothing was typed`, EXIT.usage)
  return answer
}

/** The same, unseen on a terminal. @throws LineError when there is none */
export async function askedSecret(line: Pick<Line, 'progress'>, question: string): Promise<string> {
  if (!isatty(STANDARD_INPUT)) return asked(line, question)
  line.progress(question)
  const unseen = new Writable({ write: (_letters, _encoding, done) => done() })
  const keyboard = new ReadStream(STANDARD_INPUT)
  const terminal = createInterface({ input: keyboard, output: unseen, terminal: true })
  const answer = await new Promise<string>((resolve) => {
    // Control and C, or the end of the input.
    terminal.once('close', () => resolve(''))
    terminal.once('SIGINT', () => terminal.close())
    terminal.once('line', resolve)
  })
  terminal.close()
  keyboard.destroy()
  if (answer === '') throw new LineError(`${question} nothing was typed`, EXIT.usage)
  return answer
}
