// Sends the gateways of a relay that is about to stop to other relays, a share of them each second, so that those are not overrun.
import type { Clock } from '#shared/clock.ts'
import type { GatewayId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import type { GatewaySession } from './gateway-session.ts'

export interface MoveGatewaysDeps {
  /** Closes the connection of a gateway that cannot be asked: it comes back by itself. */
  close(gatewayId: GatewayId): void
  clock: Pick<Clock, 'monotonicMs' | 'sleep'>
  log: Pick<Logger, 'info'>
}

const STEP_MS = 100
/** Of all that are here, and of few gateways this many: so it takes 20 s at most. */
const SHARE_A_SECOND = 0.05
const LEAST_A_SECOND = 20
/** So much time has the last one that was asked. */
const GRACE_MS = 5_000

/**
 * Sends `move` to each once. Resolves when all have gone, when `now` aborts, or 5 s after the last one was sent it (25 s at most): those
 * that are left are disconnected by the stop that follows.
 */
export async function moveGateways(
  sessions: readonly GatewaySession[],
  { close, clock, log }: MoveGatewaysDeps,
  now: AbortSignal,
): Promise<void> {
  const eachStep = Math.ceil((Math.max(sessions.length * SHARE_A_SECOND, LEAST_A_SECOND) * STEP_MS) / 1_000)
  const steps = Math.ceil(sessions.length / eachStep)
  const deadlineMs = clock.monotonicMs() + steps * STEP_MS + GRACE_MS
  const leftMs = (): number => Math.round(deadlineMs - clock.monotonicMs())
  const staying = (): number => sessions.filter(({ closed }) => !closed).length
  for (let step = 0; step < steps && !now.aborted; step++) {
    for (const session of sessions.slice(step * eachStep, (step + 1) * eachStep))
      if (!session.facts.canMove) close(session.facts.gatewayId)
      else session.say({ t: 'move', withinMs: leftMs() })
    await clock.sleep(STEP_MS, now)
  }
  while (staying() > 0 && leftMs() > 0 && !now.aborted) await clock.sleep(STEP_MS, now)
  log.info({ gateways: sessions.length, stayed: staying() }, 'the gateways were sent to other relays')
}
