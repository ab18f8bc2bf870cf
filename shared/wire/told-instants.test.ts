// What a gateway says as a number: whatever stands there, what is read can be stored and shown.
import { expect, it } from 'vitest'
import { toIso } from '#shared/clock.ts'
import { upMessage } from './gateway-link.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

const NOW = 1_795_000_000_123
const envelope = { v: 1, id: 'm', ts: NOW, e: 1 }
const evidence = {
  ...{ ticketId: 't', printerId: 'p', printerName: 'Pass', state: 'printed', attempts: 1, confirmation: 'confirmed' },
  ...{ method: 'gs-r', connectedAtMs: NOW, firstByteAtMs: NOW, lastByteAtMs: NOW, printedAtMs: NOW },
  ...{ possibleDuplicate: false, unprintable: 0, reason: null },
}
const conflict = { field: 'name', stands: 'gateway', value: 'a', by: 'x', at: NOW, lost: 'b', lostBy: 'y', lostAt: NOW }
const MESSAGES: Json[] = [
  {
    ...envelope,
    t: 'result',
    jobId: 'pj',
    state: 'printed',
    startedAt: NOW,
    endedAt: NOW,
    reason: null,
    tickets: [evidence],
  },
  {
    ...{ ...envelope, t: 'status', printers: [], cfgVer: 0, clockOffsetMs: 5, rssBytes: 1 },
    queue: { queued: 0, held: 0, unreported: 0 },
    health: { critical: 1, warning: 0, advice: 0, worst: 'printer-down', sinceMs: NOW },
  },
  {
    ...{ ...envelope, t: 'kitchen' },
    facts: [{ orderId: 'ord_1', fact: 'ready', atMs: NOW, shownOn: [{ name: 'Grill', atMs: NOW }] }],
  },
  {
    ...{ ...envelope, t: 'config.result', ver: 1, outcome: 'applied', detail: null },
    printers: [{ id: 'c', printerId: 'p', state: 'applied', reason: null, conflicts: [conflict] }],
  },
]
const HOSTILE = [1e308, -1e308, 8_640_000_000_000_001, -1, 0.5, 253_402_300_800_000]
const INSTANT = /(^|\.)(ts|at|\w+At|\w*[aA]tMs|sinceMs)$/

/** Each number of it by its path. */
function numbers(value: Json, path = ''): [string, number][] {
  if (typeof value === 'number') return [[path.slice(1), value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => numbers(part, `${path}.${key}`))
}

function changed(value: Json, [key = '', ...rest]: string[], to: number): Json {
  const copy = structuredClone(value) as { [key: string]: Json }
  copy[key] = rest.length === 0 ? to : changed(copy[key] ?? null, rest, to)
  return copy
}

const CASES = MESSAGES.flatMap((message) =>
  numbers(message).map(([path]) => [(message as { t: string }).t, path, message] as const),
)

it.each(CASES)('%s: its number %s is refused, or one that can be stored and shown', (_t, path, message) => {
  for (const hostile of HOSTILE) {
    const read = upMessage.safeParse(changed(message, path.split('.'), hostile))
    for (const [at, ms] of numbers((read.data ?? null) as Json)) {
      expect(Number.isSafeInteger(ms), `${at} is ${ms}`).toBe(true)
      if (INSTANT.test(at)) expect(Date.parse(toIso(ms)), at).toBe(ms)
    }
  }
})

it('a fact with an impossible time is taken with the nearest one: a refusal would be retried forever', () => {
  for (const [t, path, message] of CASES)
    if (INSTANT.test(path)) {
      const read = upMessage.safeParse(changed(message, path.split('.'), 1e308))
      expect(read.success, `${t} ${path}`).toBe(true)
    }
})

it('the state of a box is kept when its start time is invalid', () => {
  const [, status = null] = MESSAGES
  const read = upMessage.parse(changed(status, ['health', 'sinceMs'], 1e308))
  expect(read).toMatchObject({ health: { critical: 1, worst: 'printer-down', sinceMs: null } })
})
