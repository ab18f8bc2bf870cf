// What a caller hears first: the call machine itself is asked, at the next moment at which the restaurant is open, and at which it is closed.
import { nextMove } from '#cloud/receptionist/call-machine.ts'
import { type CallFacts, NEW_CALL } from '#cloud/receptionist/call-state.ts'
import { hoursNow, isOpen } from '#cloud/receptionist/opening-hours.ts'
import type { ReceptionistProfile } from '#cloud/receptionist/profile.ts'
import { wordsIn } from '#cloud/receptionist/words/words-in.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { PreviewAnswer } from './receptionist-list.ts'

const STEP_MS = 15 * 60_000
/** Holidays may follow a closed week. */
const LOOKED_MS = 15 * 86_400_000

export function previewOf(
  profile: ReceptionistProfile,
  merchant: Pick<MerchantRecord, 'name' | 'timeZone'>,
  nowMs: number,
): PreviewAnswer {
  const heard = (wanted: boolean): string[] | null => {
    const at = momentOf(profile, { timeZone: merchant.timeZone, nowMs, wanted })
    return at === null ? null : heardAt(profile, merchant, at)
  }
  return { open: heard(true), closed: heard(false), language: wordsIn(profile.language).tag }
}

function momentOf(
  profile: ReceptionistProfile,
  { timeZone, nowMs, wanted }: { timeZone: string; nowMs: number; wanted: boolean },
): number | null {
  for (let at = nowMs; at < nowMs + LOOKED_MS; at += STEP_MS)
    if (isOpen({ profile, timeZone, nowMs: at }) === wanted) return at
  return null
}

function heardAt(
  profile: ReceptionistProfile,
  { name, timeZone }: Pick<MerchantRecord, 'name' | 'timeZone'>,
  nowMs: number,
): string[] {
  const { language } = profile
  const at = { profile, timeZone, nowMs }
  const facts: CallFacts = {
    ...{
      nowMs,
      language,
      profile,
      name,
      from: null,
      to: '',
      answer: null,
      hints: [],
      items: [],
      hasCard: false,
      isFull: false,
    },
    ...{ isOpen: isOpen(at), hours: hoursNow(at, language), takesOrders: profile.orders.isOn },
  }
  const event = { kind: 'incoming', from: null, to: '', callerName: null } as const
  return nextMove(NEW_CALL, event, facts).steps.flatMap((step) => {
    if (step.do === 'say') return [step.text]
    return step.do === 'gather' ? [...step.say] : []
  })
}
