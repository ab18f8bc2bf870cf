// One token bucket that several relays share: each leases tokens ahead of its calls. Pure: the row and the time are the database's.
import { capacityOf, type Rates } from './token-bucket.ts'

/** A relay uses what it has ahead for so long, then it gives the rest back. */
export const LEASE_MS = 2_000
/** What was not given back by so much later is lost: its relay may be dead. */
const LATE_MS = 1_000
const MINUTE_MS = 60_000

/** Tokens that a relay has leased and had no call for yet. */
interface Ahead {
  tokens: number
  untilMs: number
}

/** The row. What relays have ahead has left `tokens` already. */
export interface SharedBucket {
  tokens: number
  atMs: number
  /** By relay. */
  ahead: Readonly<Record<string, Ahead>>
}

export interface LeaseAsk {
  /** The relay that takes. */
  relay: string
  /** Calls that wait for a token. */
  waiting: number
  /** Tokens that it wants besides, for calls that are still to come. */
  ahead: number
  /** What it gives back of its last lease. */
  unused: number
  /** What is left by its own count of the time when it was alone; null: it was not. */
  atMost: number | null
}

export interface Leased {
  /** Tokens that it has now. */
  got: number
  /** Tokens that are left in the row. */
  left: number
  /** Until the row has a whole token. */
  nextInMs: number
}

/** A bucket that nothing was taken from. */
export const fullBucket = (rates: Rates, nowMs: number): SharedBucket => ({
  tokens: capacityOf(rates),
  atMs: nowMs,
  ahead: {},
})

/**
 * The row and what is ahead never hold more than the capacity together: the row is refilled for what was used, and for what is ahead only
 * once that is over. So the relays together let no more calls through than one bucket would, whenever each uses its own.
 * @returns the row as it is now, and what the relay has
 */
export function lease(
  before: SharedBucket,
  rates: Rates,
  { ask, nowMs }: { ask: LeaseAsk; nowMs: number },
): { bucket: SharedBucket; leased: Leased } {
  const filled = refilled(before, rates, nowMs)
  const { [ask.relay]: mine, ...ahead } = filled.ahead
  let tokens = filled.tokens + Math.min(ask.unused, mine?.tokens ?? 0)
  if (ask.atMost !== null) tokens = Math.min(tokens, ask.atMost)
  // Adding many small parts leaves 0.9999999: that is a whole token.
  const got = Math.max(0, Math.min(Math.floor(tokens + 1e-9), ask.waiting + ask.ahead))
  tokens = Math.max(0, tokens - got)
  const isAhead = got > ask.waiting
  const kept = isAhead ? { [ask.relay]: { tokens: got - ask.waiting, untilMs: nowMs + LEASE_MS + LATE_MS } } : {}
  return {
    bucket: { tokens, atMs: nowMs, ahead: { ...ahead, ...kept } },
    leased: { got, left: tokens, nextInMs: Math.max(0, (1 - tokens) / (rates.steadyPerMinute / MINUTE_MS)) },
  }
}

/** Unused tokens, by the row: what relays have taken in advance is free too, until they use it. */
export function unusedOf(before: SharedBucket, rates: Rates, nowMs: number): number {
  const { tokens, ahead } = refilled(before, rates, nowMs)
  return Object.values(ahead).reduce((sum, one) => sum + one.tokens, tokens)
}

/** As it is now: what was ahead until a time in between has room again from that time on. */
function refilled(before: SharedBucket, rates: Rates, nowMs: number): SharedBucket {
  const perMs = rates.steadyPerMinute / MINUTE_MS
  const entries = Object.entries(before.ahead).toSorted(([, a], [, b]) => a.untilMs - b.untilMs)
  let out = entries.reduce((sum, [, { tokens }]) => sum + tokens, 0)
  let { tokens, atMs } = before
  const fillTo = (ms: number): void => {
    const room = Math.max(0, capacityOf(rates) - out)
    tokens = Math.min(room, tokens + Math.max(0, ms - atMs) * perMs)
    atMs = Math.max(atMs, ms)
  }
  const over = entries.filter(([, { untilMs }]) => untilMs <= nowMs)
  for (const [, ahead] of over) {
    fillTo(ahead.untilMs)
    out -= ahead.tokens
  }
  fillTo(nowMs)
  return { tokens, atMs, ahead: Object.fromEntries(entries.slice(over.length)) }
}
