// Operations on what an account has used and what it pays: their inputs and what they answer.
import { z } from 'zod'
import type { AccountId, InvoiceId } from '#shared/ids.ts'
import type { InvoiceLine, PlanName, Usage } from '#shared/wire/api/account.ts'
import type { AccountRequest } from './account-list.ts'
import { idField } from './input-fields.ts'
import { reads } from './operation.ts'

export const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/

export const USAGE_OPERATIONS = {
  'usage.get': reads(
    'Calls, webhook events and bill of a month, with what is left of the rates',
    z.strictObject({
      environment: z.enum(['sandbox', 'live']),
      /** Without it, the current one. */
      month: z.string().regex(MONTH, { error: 'must be a month such as 2026-11' }).optional(),
    }),
    'build',
  ),
  'invoices.list': reads('Issued invoices, newest month first', z.strictObject({}), 'govern'),
  'invoices.get': reads(
    'One issued invoice with its lines',
    z.strictObject({ invoiceId: idField('inv', 'an invoice') }),
    'govern',
  ),
}

export interface UsageAnswer {
  report: Usage
  /** The month's total at the rate so far; null for a month that has ended, and on its first day. */
  projection: { calls: number; overageAmount: number | null } | null
  rates: {
    steadyPerMinute: number
    burstPerMinute: number
    /** Calls that may come within the next minute, of `burstPerMinute`; null: none was counted yet, so all of them. */
    withinMinute: number | null
  }
  /** First attempts of this hour; `perHour` null: unlimited. */
  webhooks: { perHour: number | null; sentThisHour: number }
  /** The plan that the account waits for. */
  asked: AccountRequest | null
}

export interface InvoiceAnswer {
  invoiceId: InvoiceId
  /** `2026-11` */
  month: string
  plan: string
  /** Null while a price is by contract. */
  totalCents: number | null
  issuedAt: string
  lines: InvoiceLine[]
}

export interface UsageAnswers {
  'usage.get': UsageAnswer
  'invoices.list': InvoiceAnswer[]
  'invoices.get': InvoiceAnswer & { account: { accountId: AccountId; name: string; plan: PlanName } }
}
