// Chooses the transport of a printer: the language by its profile, the channel by its address.
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { PrinterCapability, PrinterProfile } from '#shared/printer-profile.ts'
import type { OpenChannel } from './byte-channel.ts'
import { escposLanguage } from './escpos-language.ts'
import type { IdentityGuard } from './identity-guard.ts'
import { PrinterClient } from './printer-client.ts'
import { starLanguage } from './star-language.ts'
import { type AllowsIp, type TcpAddress, tcpChannelTo } from './tcp-channel.ts'
import { DEFAULT_TIMEOUTS, type TransportTimeouts } from './timeouts.ts'
import type { PrinterTransport } from './transport.ts'
import { isDevice, usbChannelTo } from './usb-channel.ts'

export interface TransportOptions {
  /** A host and its port; or a device file such as /dev/usb/lp0 as host, with port 0. */
  address: TcpAddress
  profile: PrinterProfile
  /** Its recorded answers. Null: it is new, or never answered anything. */
  capability: PrinterCapability | null
  /** The connection stays open between tickets. */
  exclusive: boolean
  /** An earlier process may have stopped in the middle of a ticket on this printer. */
  interrupted: boolean
  clock: Clock
  random: () => number
  log: Logger
  /** Whether connections may be made to an IP address that the printer's host resolves to. Absent: to any. */
  allows?: AllowsIp | undefined
  /** Gets the IP address of each opened connection; null: it is not in a network. */
  connected?: (peer: string | null) => void
  /** Checks that no other device is at the address. */
  identity?: IdentityGuard
  timeouts?: Partial<TransportTimeouts>
}

/** The transport of one printer. Connects to nothing before it is used. */
export function openTransport(options: TransportOptions): PrinterTransport {
  const { address, profile, allows } = options
  const port = isDevice(address.host) ? null : profile.statusPort
  let peer: string | null = null
  const openChannel: OpenChannel = async (how) => {
    const channel = await channelTo(address, allows)(how)
    if ('failed' in channel) return channel
    peer = channel.peer
    options.connected?.(peer)
    return channel
  }
  // The status port of the device that gets the tickets: a name may resolve to another one by now.
  const openStatusPort: OpenChannel | null =
    port === null ? null : (how) => tcpChannelTo({ host: peer ?? address.host, port }, allows)(how)
  return transportOver({ ...options, openChannel, openStatusPort })
}

/** The same, over given channels. `openStatusPort`: to a Star's second port; null if there is none. */
export function transportOver(
  options: Omit<TransportOptions, 'address'> & { openChannel: OpenChannel; openStatusPort: OpenChannel | null },
): PrinterTransport {
  const given = { ...options, timeouts: { ...DEFAULT_TIMEOUTS, ...options.timeouts } }
  return given.profile.language === 'escpos'
    ? new PrinterClient(escposLanguage(given), given)
    : new PrinterClient(starLanguage(given), given)
}

/** How to open channels to a printer's address: over the network, or at a device file of this machine. */
export function channelTo(address: TcpAddress, allows?: AllowsIp): OpenChannel {
  return isDevice(address.host) ? usbChannelTo(address.host) : tcpChannelTo(address, allows)
}
