// Ports of the demo: whether a wanted one is free, and a free one when any will do.
import { createServer } from 'node:net'
import { DemoError } from './demo-error.ts'

/**
 * Below the range from which the system takes ports for outgoing connections (32768-60999): a program that restarts must find its
 * port again, and no outgoing connection may have taken it meanwhile.
 */
const LOWEST = 20_000
const HIGHEST = 32_000

/**
 * @param wanted 0 = any free one
 * @param option the option that sets the port, for the error
 * @param taken ports that are already given to others but not yet listened on
 */
export async function claimPort(wanted: number, option: string, taken: readonly number[]): Promise<number> {
  if (wanted === 0) return findFreePort(taken)
  if (await isFree(wanted)) return wanted
  throw new DemoError(
    `Port ${wanted} is already in use on this machine. Choose another one with ${option}, for example ` +
      `npm start -- ${option} ${wanted + 10} (0 = any free port).`,
  )
}

export async function findFreePort(taken: readonly number[], random: () => number = Math.random): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = LOWEST + Math.floor(random() * (HIGHEST - LOWEST))
    if (!taken.includes(port) && (await isFree(port))) return port
  }
  throw new DemoError(`No free port was found between ${LOWEST} and ${HIGHEST}.`)
}

/** Free means that we can listen on it on loopback now. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else if (error.code === 'EACCES')
        reject(new DemoError(`Port ${port} may not be used by this user: choose one above 1023.`))
      else reject(error)
    })
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  })
}
