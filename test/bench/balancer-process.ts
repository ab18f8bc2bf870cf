// A process with a balancer for TCP in front of relays, because one process may not have open as many connections as there are gateways, twice.
import { Balancer } from '#test/fire/balancer.ts'

/** What the parent sends: ports of the relays. It is answered with the balancer's own. */
process.on('message', async (relays: readonly number[]) => {
  const { port } = await Balancer.start(relays)
  process.send?.(port)
})
process.on('disconnect', () => process.exit())
