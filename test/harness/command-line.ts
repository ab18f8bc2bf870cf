// A command line of ours as a child process: what it says, where it says it, and how it ends.
import { spawn } from 'node:child_process'
import { compiledCode } from './compiled-code.ts'

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
    const [file = '', ...before] = program
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
