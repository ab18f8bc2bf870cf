// Asks everybody on a network one question by UDP broadcast and hands over each answer.
import { createSocket } from 'node:dgram'
import type { Clock } from '#shared/clock.ts'
import { isInNetwork } from '#shared/ipv4.ts'
import type { LocalNetwork } from './local-networks.ts'

export interface UdpQuestion {
  port: number
  query: Uint8Array
}

export interface SurveyOptions {
  network: LocalNetwork
  clock: Clock
  /** How long answers are awaited. */
  windowMs: number
  signal: AbortSignal
  onReply: (message: Uint8Array, address: string) => void
}

/** Maximum number of answers from one address: a printer may repeat itself, and a flood hides no other one. */
const MOST_REPLIES = 4

/** Asks twice, because UDP loses. Resolves when the window is over; a network that cannot be asked has no answers. */
export async function surveyUdp({ port, query }: UdpQuestion, options: SurveyOptions): Promise<void> {
  const { network, clock, windowMs, signal, onReply } = options
  const socket = createSocket('udp4')
  const ended = new AbortController()
  const end = (): void => ended.abort()
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  const replies = new Map<string, number>()
  socket.on('error', end)
  socket.on('message', (message, { address }) => {
    if (!isInNetwork(network.cidr, address) || address === network.address) return
    const count = (replies.get(address) ?? 0) + 1
    replies.set(address, count)
    if (count <= MOST_REPLIES) onReply(message, address)
  })
  // Our own address there as the sender: the question must not leave by another network.
  socket.bind(0, network.address, () => {
    socket.setBroadcast(true)
    const ask = (): void => socket.send(query, port, network.broadcast, (error) => (error ? end() : undefined))
    ask()
    clock.after(windowMs / 2, () => {
      if (!ended.signal.aborted) ask()
    })
  })
  await clock.sleep(windowMs, ended.signal)
  signal.removeEventListener('abort', end)
  end()
  socket.close()
}
