// A command line of ours as a child process: what it says, where it says it, and how it ends.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { compiledCode, fromBundle } from './compiled-code.ts'

/** sysexits(3) EX_TEMPFAIL: try again later, nothing was done. */
const EXIT_LATER = 75
const MOST_TRIES = 6
const ROOT = new URL('../../', import.meta.url).pathname

export interface LineResult {
  code: number
  out: string
  err: string
  /** What stands on standard output, if that is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any answer
  json: any
}

/** Runs one line of the gateway, or of another program; `input` goes to its standard input. */
export function runLineOf(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  input: Uint8Array | string = '',
  program: readonly string[] = [process.execPath, 'gateway/main.ts'],
): Promise<LineResult> {
  return new Promise((resolve, reject) => {
    const [file = '', ...before] = fromBundle(program)
    const child = spawn(file, [...before, ...args], {
      cwd: ROOT,
      env: { PATH: '', ...compiledCode(file, 'lines'), ...env },
    })
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    child.stderr.on('data', (chunk) => {
      err += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? -1, out, err, json: parse(out) }))
    // A line that is refused does not read it.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}

/**
 * Runs one line of the relay's operator, as a script of an operator would: again while it ends with 75, which says that nothing was done. On
 * a machine whose disk is slow, a relay may not answer for the 10 s that the line waits.
 */
export async function runOperatorLine(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<LineResult> {
  for (let left = MOST_TRIES; ; left--) {
    const result = await runLineOf(env, ['admin', ...args], '', [process.execPath, 'cloud/main.ts'])
    if (result.code !== EXIT_LATER || left === 1) return result
  }
}

/**
 * Runs a relay, or a line of its operator, that ends by itself.
 * @param before a program that runs it, with its words
 * @returns the lines of both streams as they came
 */
export async function runRelayToEnd(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  before: readonly string[] = [],
): Promise<{ code: number; lines: string[] }> {
  const [program = '', ...words] = fromBundle([...before, process.execPath, 'cloud/main.ts', ...args])
  const child = spawn(program, words, {
    env: { PATH: process.env['PATH'], ...compiledCode(process.execPath, 'relays'), ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const [code] = await once(child, 'close')
  return { code, lines: output.trim().split('\n') }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
