// Delays an answer. The wait ends when the connection is gone, so that a stop of the relay is not delayed.
import type { FastifyReply } from 'fastify'
import type { Clock } from '#shared/clock.ts'

export async function sleepWhileConnected(clock: Clock, reply: FastifyReply, ms: number): Promise<void> {
  if (reply.raw.closed) return
  const gone = new AbortController()
  const leave = () => gone.abort()
  reply.raw.once('close', leave)
  await clock.sleep(ms, gone.signal)
  reply.raw.off('close', leave)
}
