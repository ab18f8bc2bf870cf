// Operations on the sandbox: its merchants, the paper of its simulated kitchen, its orders' time, and putting it back.
import { z } from 'zod'
import { CURSOR, merchantIdField } from '#shared/wire/api/fields.ts'
import { changes, reads } from './operation.ts'
import type { DrawnTicketAnswer } from './order-list.ts'

const MOST_MINUTES = 30 * 24 * 60
const testMerchant = merchantIdField.refine((id) => id.startsWith('M-TEST-'), {
  error: 'must be a merchant of the sandbox, such as M-TEST-001',
})

export const SANDBOX_OPERATIONS = {
  'sandbox.merchants': reads('The test merchants of the account, and how each misbehaves', z.strictObject({}), 'serve'),
  'sandbox.paper': reads(
    'What the simulated kitchen printed, newest first, drawn',
    z.strictObject({ merchantId: testMerchant, cursor: z.string().regex(CURSOR).optional() }),
    'serve',
  ),
  'sandbox.clock': changes(
    'Bring the waiting orders of a test merchant forward, as if so many minutes had passed',
    z.strictObject({ merchantId: testMerchant, minutes: z.number().int().min(1).max(MOST_MINUTES) }),
    'kitchen',
  ),
  'sandbox.reset': changes(
    'Put a test merchant back: its menu as it was, everything on sale, no paper; orders stay',
    z.strictObject({ merchantId: testMerchant }),
    'kitchen',
  ),
}

export interface SandboxMerchantAnswer {
  merchantId: string
  name: string
  timeZone: string
  prepMinutes: number
  /** How many ordering platforms are connected. */
  channels: number
  fault: 'slow' | 'flaky' | 'printer-offline' | null
  locations: {
    locationId: string
    name: string
    /** `gateway`: a box was paired with it, and prints there. */
    kitchen: 'simulated' | 'gateway'
    presence: 'online' | 'offline' | 'unknown'
    printers: { name: string; stations: string[]; columns: number }[]
  }[]
}

export interface SandboxAnswers {
  'sandbox.merchants': SandboxMerchantAnswer[]
  'sandbox.paper': { tickets: (DrawnTicketAnswer & { serviceOrderId: string | null })[]; nextCursor: string | null }
  'sandbox.clock': {
    /** The number of orders whose time was moved, and of those that fire now. */
    moved: number
    firing: number
    /** A paired gateway has them already: it fires them by its own clock. */
    held: number
    /** Of those that wait still; null: none does. */
    nextFireAt: string | null
  }
  'sandbox.reset': { items: number; tickets: number }
}
