// Whether an account may act on a merchant, for callers that do not refuse.
import { type Acting, authorize } from '#cloud/auth/authorize.ts'
import { ServiceError } from '#shared/errors.ts'
import type { ControlContext } from './context.ts'

/** @param acting its `wanted` scope is what a grant must have */
export async function mayAct(context: ControlContext, acting: Acting, merchantId: string): Promise<boolean> {
  try {
    await authorize(context, acting, merchantId)
    return true
  } catch (refusal) {
    if (refusal instanceof ServiceError) return false
    throw refusal
  }
}
