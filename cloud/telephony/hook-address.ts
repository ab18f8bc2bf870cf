// Addresses of a number's hooks. What has to come back with an input stands in the query: the provider signs it, so it comes back unchanged.
import { isId, type TextId } from '#shared/ids.ts'
import type { HookStep } from './telephony.ts'

/** Below the public address. */
export const HOOKS_PATH = '/Receptionist/Webhooks/voice'

/** The address of a number's hooks, without the step. @param base the public address, without a slash at its end */
export function hooksOf(base: string, numberId: string): string {
  return `${base}${HOOKS_PATH}/${numberId}`
}

/** What comes back in the query of a hook. */
export interface HookQuery {
  turn?: number
  is?: HookMark
  /** Our own message that its news are about. */
  text?: TextId
}

/** What the fields of a hook do not say by themselves. */
export const HOOK_MARKS = ['answered', 'silence', 'wait', 'nothing', 'call'] as const
/**
 * `answered`: the person that a call is passed to has picked up. `silence`: a gather got nothing. `wait`: after a redirect. `nothing`: a
 * record got nothing. `call`: a recording of the whole call.
 */
export type HookMark = (typeof HOOK_MARKS)[number]

export function hookAddress(hooks: string, step: HookStep, query: HookQuery = {}): string {
  const pairs = (['turn', 'is', 'text'] as const).flatMap((name) =>
    query[name] === undefined ? [] : [`${name}=${query[name]}`],
  )
  return pairs.length === 0 ? `${hooks}/${step}` : `${hooks}/${step}?${pairs.join('&')}`
}

/** Null: there is none, or no number. */
export function turnOf(url: string): string | null {
  const turn = parameters(url).get('turn')
  return turn !== null && /^\d{1,6}$/.test(turn) ? turn : null
}

export function markOf(url: string): HookMark | null {
  const mark = parameters(url).get('is')
  return HOOK_MARKS.find((known) => known === mark) ?? null
}

/** Null: there is none, or it is none of ours. */
export function textOf(url: string): TextId | null {
  const text = parameters(url).get('text') ?? ''
  return isId('txt', text) ? text : null
}

function parameters(url: string): URLSearchParams {
  return URL.parse(url)?.searchParams ?? new URLSearchParams()
}
