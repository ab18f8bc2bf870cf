// What the seals of an order's own messages cost: job, ack, result and rack are sealed on one side and opened on the other.

import { openText, sealText } from '#shared/link-seal.ts'
import { kitchenOrder } from '#shared/order.ts'

const ORDERS = 1_000
const NOW_MS = 1_795_000_000_000
const ID = '01m87111bffkvbgsja91bvamx0'

/** As long as in life: an order of one dish, like those that are measured beside it. */
export const MESSAGES = messages().map((message) => JSON.stringify(message))

/** @returns processor time of one order's messages, milliseconds, of so many samples. Parsing is in it: it is what comes out of opening. */
export function sealSamples(count: number): number[] {
  // Its code is compiled in the first one.
  return Array.from({ length: count + 1 }, sealMs).slice(1)
}

function sealMs(): number {
  const before = process.cpuUsage()
  for (let order = 0; order < ORDERS; order++) {
    for (const json of MESSAGES) {
      const { seal } = openText(Buffer.from(sealText(json)))
      if (seal !== 'sealed') throw new Error('a seal that was made here does not fit')
    }
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / ORDERS
}

function messages(): object[] {
  const envelope = { v: 1, id: '0b7c1d52-4f0e-4c39-9d0f-6f6f1d1e8c55', ts: NOW_MS, e: 12 }
  const stream = 'c98b2b84316f1b0415d0103e'
  const order = kitchenOrder.parse({
    ...{ serviceOrderId: `ord_${ID}`, orderId: 'WEB-1042', merchantId: 'M-TEST-001', locationId: `loc_${ID}` },
    ...{ source: 'PICKUP', posOrderId: '20261121-042', queuedAtMs: NOW_MS, timeZone: 'Europe/Madrid' },
    customer: { name: 'Ana Torres', phone: '+34 600 000 000' },
    items: [{ umsId: `ums_${ID}`, name: 'Hamburguesa', qty: 1, note: 'well done, please', station: 'grill' }],
  })
  const when = { connectedAtMs: NOW_MS, firstByteAtMs: NOW_MS, lastByteAtMs: NOW_MS, printedAtMs: NOW_MS }
  const tickets = [
    {
      ...{ ticketId: `pj_${ID}-1`, printerId: 'grill', printerName: 'Grill', state: 'printed', attempts: 1 },
      ...{ confirmation: 'confirmed', method: 'gs-r', possibleDuplicate: false, unprintable: 0, reason: null, ...when },
    },
  ]
  const times = { notBefore: null, expiresAt: NOW_MS, possibleDuplicate: false }
  const result = { state: 'printed', startedAt: NOW_MS, endedAt: NOW_MS, reason: null, tickets }
  return [
    { ...envelope, t: 'job', jobId: `pj_${ID}`, stream, seq: 4_711, ...times, doc: { kind: 'order', order } },
    { ...envelope, t: 'ack', stream, last: 4_711 },
    { ...envelope, t: 'result', jobId: `pj_${ID}`, ...result },
    { ...envelope, t: 'rack', jobIds: [`pj_${ID}`] },
  ]
}
