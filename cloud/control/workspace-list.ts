// Operation on the restaurants of an account: its input and what it answers. The page offers them to choose from.
import { z } from 'zod'
import { reads } from './operation.ts'

/** More than anybody chooses from; the search finds the others by their id. */
export const MOST_MERCHANTS = 1_000

export const WORKSPACE_OPERATIONS = {
  'workspace.get': reads(
    'The restaurants of an account, its own and those that others let it act on, by name',
    z.strictObject({}),
    'member',
  ),
}

export interface WorkspaceMerchantAnswer {
  merchantId: string
  name: string
  environment: 'sandbox' | 'live'
  /** IANA. */
  timeZone: string
  /** ISO 4217. */
  currency: string
  /** It belongs to another account. */
  isGranted: boolean
}

export interface WorkspaceAnswers {
  'workspace.get': {
    /** Of both environments. */
    merchants: WorkspaceMerchantAnswer[]
    /** There are more than these. */
    isMore: boolean
  }
}
