// Orders for one side of a comparison, ours or the floor: at a steady pace, all at once, or as fast as they are printed.
import { Pool } from 'undici'
import { offer, type Sent } from '#test/bench/load.ts'
import type { PaperWatch } from './paper-watch.ts'

/** What can be loaded and measured: our two programs, or the floor's. */
export interface Side {
  readonly url: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly paper: PaperWatch
  readonly gateway: { cpuMs(): number }
  readonly relay: { cpuMs(): number }
  body(token: string): string
  /** Orders that its gateway has and that are not on paper. */
  waiting(): Promise<number>
}

let nextNumber = 0

/** Numbers that no other order of this run has. */
function tokensOf(count: number): string[] {
  const first = nextNumber
  nextNumber += count
  return Array.from({ length: count }, (_, index) => `B-${String(first + index).padStart(6, '0')}`)
}

/** Requests leave at their time whether or not those before were answered. */
export async function atPace(side: Side, perSecond: number, count: number): Promise<Sent[]> {
  const firstNumber = nextNumber
  nextNumber += count
  const { url, path, headers } = side
  const body = (token: string): string => side.body(token)
  return offer({ url, path, headers: { ...headers }, body, perSecond, seconds: count / perSecond, firstNumber })
}

const AT_ONCE = 32
const TRIES = 3

/** As fast as the relay takes them. @returns their tokens */
export async function allAtOnce(
  side: Side,
  count: number,
  bodyOf = (token: string) => side.body(token),
): Promise<string[]> {
  const tokens = tokensOf(count)
  const left = [...tokens].reverse()
  const pool = new Pool(side.url, { connections: AT_ONCE })
  const worker = async (): Promise<void> => {
    for (let token = left.pop(); token !== undefined; token = left.pop()) await send(pool, side, bodyOf(token))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  await pool.close()
  return tokens
}

/** As fast as they are printed: never more than a few are under way. Ends when all are on paper, or after `capMs`. @returns how many are */
export async function asPrinted(side: Side, count: number, capMs: number): Promise<number> {
  const tokens = tokensOf(count)
  const before = side.paper.tickets.size
  const pool = new Pool(side.url, { connections: AT_ONCE })
  const endAt = performance.now() + capMs
  const printed = (): number => side.paper.tickets.size - before
  for (const [sent, token] of tokens.entries()) {
    const leftMs = endAt - performance.now()
    if (leftMs <= 0 || !(await side.paper.until(() => sent - printed() < AT_ONCE, leftMs))) break
    await send(pool, side, side.body(token))
  }
  await side.paper.until(() => printed() >= count, Math.max(0, endAt - performance.now()))
  await pool.close()
  return printed()
}

/** Sent again when a kept connection has just been closed: the same order is taken once. */
async function send(pool: Pool, side: Side, body: string): Promise<void> {
  const headers = { 'content-type': 'application/json', ...side.headers }
  for (let tries = 1; ; tries++) {
    try {
      const answer = await pool.request({ method: 'POST', path: side.path, headers, body })
      await answer.body.dump()
      // 503: taken, and the kitchen is known to be away.
      if (answer.statusCode === 200 || answer.statusCode === 503) return
      throw new Error(`an order was answered with ${answer.statusCode}`)
    } catch (error) {
      if (tries === TRIES) throw error
    }
  }
}
