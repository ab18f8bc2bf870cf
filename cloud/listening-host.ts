// What the relay can listen on: an IP address or a host name, and nothing that another parser would read differently.
import { isIP } from 'node:net'
import { z } from 'zod'

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/i

/** Whether it would be taken for an address of this machine alone is decided by it: `127.0.0.1/0.0.0.0` is none. */
export const listeningHost = z
  .string()
  .max(255)
  .refine((text) => isIP(text) !== 0 || isHostName(text), {
    error: 'must be an IP address or a host name, such as 127.0.0.1 or relay.example',
  })

/** fastify listens on every address of the name `localhost`, each by a server of its own, past the limits of connections and requests. */
export const oneAddressOf = (host: string): string => (host === 'localhost' ? '127.0.0.1' : host)

function isHostName(text: string): boolean {
  const labels = (text.endsWith('.') ? text.slice(0, -1) : text).split('.')
  return labels.every((label) => LABEL.test(label))
}
