// Program: a device on the network, from one argument in JSON. It prints as a virtual printer, answers discovery with whatever it is told to claim, and says each ticket on a line.
import { z } from 'zod'
import { DiscoverableDevices } from '#test/doubles/discoverable-devices.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'

const options = z.strictObject({
  address: z.string(),
  broadcast: z.string(),
  /** Overrides of the virtual printer's model. */
  model: z.record(z.string(), z.union([z.string(), z.boolean(), z.null()])).default({}),
  /** What it claims of itself in answers of Epson, Star and mDNS. */
  claims: z.strictObject({ mac: z.string(), model: z.string() }),
})

const { address, broadcast, model, claims } = options.parse(JSON.parse(process.argv[2] ?? ''))
const device = { address, ...claims }
const printer = new VirtualPrinter({
  model,
  onTicket: (ticket) => process.stdout.write(`${JSON.stringify({ ticket: ticket.text() })}\n`),
})
const devices = new DiscoverableDevices({
  broadcast,
  epson: [device],
  star: [device],
  mdns: [{ ...device, name: 'Grill', port: 9100 }],
  mdnsInterface: address,
})
await printer.start(9100, address)
await devices.start()
process.stdout.write(`${JSON.stringify({ ready: true })}\n`)
