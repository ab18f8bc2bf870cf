// What sorts tests into unit tests and room tests: whether they open sockets or start processes. Watched at run time, in the setup of both projects.
import { ChildProcess } from 'node:child_process'
import { Socket as UdpSocket } from 'node:dgram'
import { Server, Socket } from 'node:net'

/** Doors out of the process; what only waits for a thread or reads a file stays inside. */
const DOORS: readonly [object, string, string][] = [
  [Server.prototype, 'listen', 'a listening socket'],
  [Socket.prototype, 'connect', 'a connection'],
  [UdpSocket.prototype, 'bind', 'a UDP socket'],
  [UdpSocket.prototype, 'send', 'a UDP socket'],
  [ChildProcess.prototype, 'spawn', 'a process'],
]

type Method = (...args: unknown[]) => unknown

let onOpen: ((what: string) => void) | null = null

/** Calls `report` before anything of the kind is opened; what it throws keeps it shut. Only the last `report` is called. */
export function watchDoors(report: (what: string) => void): void {
  const isNew = onOpen === null
  onOpen = report
  if (!isNew) return
  for (const [owner, name, what] of DOORS) {
    const open = Reflect.get(owner, name) as Method
    Reflect.set(owner, name, function (this: unknown, ...args: unknown[]) {
      onOpen?.(what)
      return open.apply(this, args)
    })
  }
}
