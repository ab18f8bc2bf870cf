// Open-loop load: requests leave at their planned times whether or not earlier ones were answered, so waiting is not hidden.
import { Pool } from 'undici'

export interface Sent {
  token: string
  sentAt: number
  /** When the answer was complete; null when it failed. */
  answeredAt: number | null
  status: number
}

export interface LoadOptions {
  url: string
  path: string
  headers: Readonly<Record<string, string>>
  /** Body of the request with this token. */
  body: (token: string) => string
  perSecond: number
  seconds: number
  firstNumber?: number
}

/** Offers `perSecond * seconds` requests and resolves when all are answered. */
export async function offer({
  url,
  path,
  headers,
  body,
  perSecond,
  seconds,
  firstNumber = 0,
}: LoadOptions): Promise<Sent[]> {
  const pool = new Pool(url, { connections: 64, pipelining: 1 })
  const total = Math.round(perSecond * seconds)
  const sent: Sent[] = []
  const startedAt = performance.now()
  const pending: Promise<void>[] = []
  for (let i = 0; i < total; i++) {
    const due = startedAt + (i * 1000) / perSecond
    const wait = due - performance.now()
    if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait))
    const token = `B-${String(firstNumber + i).padStart(6, '0')}`
    const row: Sent = { token, sentAt: performance.now(), answeredAt: null, status: 0 }
    sent.push(row)
    pending.push(
      pool
        .request({
          method: 'POST',
          path,
          headers: { 'content-type': 'application/json', ...headers },
          body: body(token),
        })
        .then(async (response) => {
          await response.body.dump()
          row.status = response.statusCode
          row.answeredAt = performance.now()
        })
        .catch(() => {}),
    )
  }
  await Promise.all(pending)
  await pool.close()
  return sent
}
