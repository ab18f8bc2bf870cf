// A process of simulated gateways, so that what they cost does not fall on whoever measures. Told what to do by its parent, through IPC.
import { type FleetMember, SimulatedFleet } from '#test/harness/simulated-fleet.ts'

/** What the parent sends first. */
export interface DriverStart {
  members: readonly FleetMember[]
  port: number
  /** Sent at the beginning of each connection. */
  preamble?: string
}

/** What it asks for later, one at a time; each is answered with `counts`. */
export type DriverAsk = 'all-welcomed' | 'all-gone' | 'counts'

/** Gateways of one source address: there are 28,000 ports, and the relay has so many places for those of one address that are not signed in. */
const PER_ADDRESS = 100

let fleet: SimulatedFleet | null = null

function begin({ members, port, preamble }: DriverStart): void {
  fleet = new SimulatedFleet(members, (n) => ({
    port,
    localAddress: `127.0.0.${2 + Math.floor(n / PER_ADDRESS)}`,
    ...(preamble !== undefined && { preamble: Buffer.from(preamble) }),
    onJob: ({ doc }) => {
      const { orderId } = (doc as { order: { orderId: string } }).order
      // The same clock for all processes of the machine.
      process.send?.({ orderId, atMs: performance.timeOrigin + performance.now() })
    },
  }))
  fleet.start()
}

process.on('message', async (message: DriverStart | DriverAsk) => {
  if (typeof message === 'object') {
    begin(message)
    return
  }
  if (message === 'all-welcomed') await fleet?.allWelcomed()
  if (message === 'all-gone') await fleet?.allGone()
  process.send?.({ counts: fleet?.counts })
})
process.on('disconnect', () => process.exit())
