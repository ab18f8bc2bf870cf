// Holds an answer back. Nobody waits any longer for one whose connection is gone: a stop of the relay is not held up.
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
