// Asks each device by itself what discovery asks everybody: to send it, the kernel must find out the hardware address, whatever answers were forged under that address before.
import { createSocket } from 'node:dgram'
import { isInNetwork } from '#shared/ipv4.ts'
import { ENPC_PORT, ENPC_QUERY } from './epson-enpc.ts'
import type { LocalNetwork } from './local-networks.ts'

/** Resolves when the questions are out; a network that cannot be asked gets none. Their answers are not listened to. */
export async function askEach(addresses: readonly string[], network: LocalNetwork): Promise<void> {
  const asked = addresses.filter((address) => isInNetwork(network.cidr, address) && address !== network.address)
  if (asked.length === 0) return
  const socket = createSocket('udp4')
  try {
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject)
      socket.bind(0, network.address, resolve)
    })
    // One that cannot be reached does not delay the others.
    for (const address of asked) await new Promise((sent) => socket.send(ENPC_QUERY, ENPC_PORT, address, sent))
  } catch {
    // The network has gone meanwhile.
  } finally {
    socket.close()
  }
}
