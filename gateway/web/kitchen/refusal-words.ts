// Why an order could not be changed, or a display cannot sign in, in words.
import type { Messages } from './messages/en.ts'
import { fill } from './messages/words.tsx'
import type { Refused } from './snapshot-parts.ts'

export function refusalWords({ number, reason }: Pick<Refused, 'number' | 'reason'>, m: Messages): string {
  return fill(m.refusedReasons[reason ?? ''] ?? m.refused, { number })
}

/** @param body of the gateway's answer @returns its code; `unknown` if it has none */
export function refusalCode(body: unknown): string {
  const { code } = (body ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : 'unknown'
}

export function signInWords(code: string, m: Messages): string {
  if (code === 'no-answer') return m.noAnswer
  return Object.hasOwn(m.signInFaults, code) ? (m.signInFaults[code] ?? '') : fill(m.signInRefused, { code })
}
