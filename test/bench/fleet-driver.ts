// A process of simulated gateways, so that what they cost does not fall on whoever measures. Told what to do by its parent, through IPC.
import { systemClock } from '#shared/clock.ts'
import { type FleetMember, SimulatedFleet } from '#test/harness/simulated-fleet.ts'

/** What the parent sends first. */
export interface DriverStart {
  members: readonly FleetMember[]
  /** Of the relay, or of several balancers, which gateways use in turn. */
  ports: readonly number[]
  /** Sent at the beginning of each connection. ADDRESS in it is the gateway's own. */
  preamble?: string
}

/** What it asks for later, one at a time; each is answered with `counts`. `welcomes`: when there were so many in all. */
export type DriverAsk = 'all-welcomed' | 'all-gone' | 'counts' | { welcomes: number }

/** Gateways of one source address: there are 28,000 ports, and the relay has so many places for those of one address that are not signed in. */
const PER_ADDRESS = 100

const COUNT_EVERY_MS = 20

let fleet: SimulatedFleet | null = null

function begin({ members, ports, preamble }: DriverStart): void {
  const addressOf = (n: number): string => `127.0.0.${2 + Math.floor(n / PER_ADDRESS)}`
  fleet = new SimulatedFleet(members, (n) => ({
    port: ports[n % ports.length] ?? 0,
    localAddress: addressOf(n),
    ...(preamble !== undefined && { preamble: Buffer.from(preamble.replace('ADDRESS', addressOf(n))) }),
    onJob: ({ doc }) => {
      const { orderId } = (doc as { order: { orderId: string } }).order
      // The same clock for all processes of the machine.
      process.send?.({ orderId, atMs: performance.timeOrigin + performance.now() })
    },
  }))
  fleet.start()
}

process.on('message', async (message: DriverStart | DriverAsk) => {
  if (typeof message === 'object' && 'members' in message) {
    begin(message)
    return
  }
  if (typeof message === 'object')
    // To add them up at each welcome would be work for ever more gateways.
    while ((fleet?.counts.welcomes ?? message.welcomes) < message.welcomes) await systemClock.sleep(COUNT_EVERY_MS)
  if (message === 'all-welcomed') await fleet?.allWelcomed()
  if (message === 'all-gone') await fleet?.allGone()
  process.send?.({ counts: fleet?.counts })
})
process.on('disconnect', () => process.exit())
