// Devices on a small loopback network that answer discovery as printers do: Epson's ENPC, Star's protocol, mDNS. They speak no printing.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import makeMdns from 'multicast-dns'

export interface Device {
  /** Such as 127.87.3.2: one of the network's, not its last. */
  address: string
  mac: string
  model: string
}

export interface DeviceOptions {
  /** The network's last address: questions to everybody come there. */
  broadcast: string
  epson?: readonly Device[]
  star?: readonly Device[]
  mdns?: readonly (Device & { name: string; port: number })[]
  /** Address of the interface on which mDNS is heard; default: loopback. */
  mdnsInterface?: string
}

const RAW_SERVICE = '_pdl-datastream._tcp.local'

export class DiscoverableDevices {
  /** Questions heard, by protocol. */
  readonly heard: { protocol: 'epson' | 'star' | 'mdns'; bytes: Buffer | null }[] = []
  readonly #options: DeviceOptions
  readonly #sockets: Socket[] = []
  #mdns: ReturnType<typeof makeMdns> | null = null

  constructor(options: DeviceOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    const { broadcast, epson = [], star = [], mdns = [] } = this.#options
    await this.#listen(3289, broadcast, (message, sender) => {
      this.heard.push({ protocol: 'epson', bytes: message })
      for (const device of epson) void this.#answer(device.address, enpcReply(device), sender)
    })
    await this.#listen(22_222, broadcast, (message, sender) => {
      this.heard.push({ protocol: 'star', bytes: message })
      for (const device of star) void this.#answer(device.address, sdpReply(device), sender)
    })
    if (mdns.length > 0) await this.#listenMdns(mdns)
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets.splice(0)) await new Promise<void>((resolve) => socket.close(() => resolve()))
    const mdns = this.#mdns
    this.#mdns = null
    if (mdns) await new Promise<void>((resolve) => mdns.destroy(() => resolve()))
  }

  async #listen(port: number, host: string, onMessage: (message: Buffer, sender: RemoteInfo) => void): Promise<void> {
    const socket = createSocket('udp4')
    this.#sockets.push(socket)
    socket.on('message', onMessage)
    await bound(socket, port, host)
  }

  async #answer(from: string, bytes: Uint8Array, to: RemoteInfo): Promise<void> {
    const socket = createSocket('udp4')
    await bound(socket, 0, from)
    socket.send(bytes, to.port, to.address, () => socket.close())
  }

  async #listenMdns(devices: readonly (Device & { name: string; port: number })[]): Promise<void> {
    const mdns = makeMdns({ interface: this.#options.mdnsInterface ?? '127.0.0.1', bind: '0.0.0.0' })
    this.#mdns = mdns
    mdns.on('query', ({ questions }, sender) => {
      if (!(questions ?? []).some(({ name }) => name === RAW_SERVICE)) return
      this.heard.push({ protocol: 'mdns', bytes: null })
      for (const device of devices) void this.#answerMdns(device, sender)
    })
    await new Promise<void>((resolve, reject) => {
      mdns.once('ready', resolve)
      mdns.once('error', reject)
    })
  }

  async #answerMdns(device: Device & { name: string; port: number }, to: RemoteInfo): Promise<void> {
    const socket = createSocket('udp4')
    await bound(socket, 0, device.address)
    const mdns = makeMdns({ socket, bind: false, multicast: false })
    const instance = `${device.name}.${RAW_SERVICE}`
    const target = `${device.name.toLowerCase()}.local`
    mdns.respond(
      {
        answers: [{ name: RAW_SERVICE, type: 'PTR', data: instance }],
        additionals: [
          { name: instance, type: 'SRV', data: { port: device.port, target } },
          { name: instance, type: 'TXT', data: [`ty=${device.model}`, 'qtotal=1'] },
          { name: target, type: 'A', data: device.address },
        ],
      },
      { address: to.address, port: to.port },
      () => mdns.destroy(),
    )
  }
}

/** 184 bytes as a TM printer sends them. */
function enpcReply({ mac, model }: Device): Buffer {
  const reply = Buffer.alloc(184)
  reply.write('EPSONq', 0, 'latin1')
  reply[6] = 3
  macBytes(mac).copy(reply, 14)
  reply.write(model, 56, 'latin1')
  return reply
}

/** 302 bytes as a TSP100 with network card sends them. */
function sdpReply({ address, mac, model }: Device): Buffer {
  const reply = Buffer.alloc(302)
  reply.write('STR_BCAST', 0, 'latin1')
  reply.write('RS1.0.1', 16, 'latin1')
  reply.writeUInt16BE(302, 24)
  reply.write('TSP100LAN', 36, 'latin1')
  macBytes(mac).copy(reply, 78)
  Buffer.from(address.split('.').map(Number)).copy(reply, 88)
  reply.write(model, 204, 'latin1')
  return reply
}

function macBytes(mac: string): Buffer {
  return Buffer.from(mac.replaceAll(':', ''), 'hex')
}

function bound(socket: Socket, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(port, host, resolve)
  })
}
