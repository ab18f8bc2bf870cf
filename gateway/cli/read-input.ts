// Reads what a command is given: a file, or standard input for `-`.
import { readFileSync } from 'node:fs'
import { EXIT, LineError } from './command.ts'

const STANDARD_INPUT = 0

/** @throws LineError when it cannot be read */
export function readInput(path: string): Buffer {
  try {
    return readFileSync(path === '-' ? STANDARD_INPUT : path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown'
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
