// Telephone numbers of a restaurant: asked for here, wired and unwired by their worker.
import { auditedSince } from '#cloud/storage/audit-store.ts'
import { holdName } from '#cloud/storage/hold.ts'
import type { PhoneNumberRow } from '#cloud/storage/phone-number-store.ts'
import type { Provider } from '#cloud/telephony/telephony.ts'
import { newId } from '#shared/ids.ts'
import type { ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import { type Changed, type Changing, type Handlers, merchantOf } from './handler.ts'
import type { NUMBER_OPERATIONS, NumberAnswer } from './number-list.ts'
import { onlySandbox, requireTelephones } from './telephones.ts'

/** Of a restaurant. */
const MOST_NUMBERS = 5
/** Of an account: each is charged to the operator for at least a month. */
export const BOUGHT_A_DAY = 10
const DAY_MS = 86_400_000
/** Of the numbers for fiction: any will do. */
const ANY_AREA = { areaCode: '202' }

export const NUMBER_HANDLERS: Pick<Handlers, Exclude<keyof typeof NUMBER_OPERATIONS, 'receptionist.simulate'>> = {
  'numbers.list': async ({ phoneNumbers, running }, doing) => {
    const { key, environment } = merchantOf(doing)
    const numbers = (await phoneNumbers.ofMerchant(key)).map(numberAnswer)
    return { numbers, provider: running?.telephones?.for(environment).provider ?? null }
  },

  'numbers.simulate': async (context, doing) => {
    const { environment } = merchantOf(doing)
    if (environment !== 'sandbox') throw onlySandbox()
    return want(context, doing, { wanted: ANY_AREA, provider: requireTelephones(context).simulated.provider })
  },

  'numbers.want': async (context, doing, { wanted }) => {
    const { provider } = requireTelephones(context).for(merchantOf(doing).environment)
    if (provider !== 'simulator') await requireFewToday(context, doing)
    return want(context, doing, { wanted, provider })
  },

  'numbers.attach': async (context, doing, { number }) => {
    const { provider } = requireTelephones(context).for(merchantOf(doing).environment)
    if ((await context.phoneNumbers.byE164(number, doing.tx)) !== null)
      throw new ControlRefusal('refused', 'A restaurant of this relay has this number already.', {
        said: { key: 'number.taken' },
      })
    return want(context, doing, { wanted: { number }, provider })
  },

  'numbers.retry': async ({ phoneNumbers, clock }, doing, { numberId }) => {
    await requireNumber({ phoneNumbers }, doing, numberId)
    const changed = await phoneNumbers.retry(doing.tx, numberId, clock.now())
    return { answer: { changed }, ...(changed && { wake: () => phoneNumbers.changed.notify() }) }
  },

  'numbers.unwire': async ({ phoneNumbers, clock }, doing, { numberId }) => {
    const merchant = merchantOf(doing)
    const row = await requireNumber({ phoneNumbers }, doing, numberId)
    const changed = await phoneNumbers.unwire(doing.tx, { id: numberId, merchantKey: merchant.key }, clock.now())
    if (!changed) return { answer: { changed } }
    return {
      answer: { changed },
      wake: () => phoneNumbers.changed.notify(),
      audit: {
        ...{ accountId: merchant.ownerAccountId, action: 'number.unwire', subject: merchant.publicId },
        before: { numberId, e164: row.e164, provider: row.provider },
      },
    }
  },
}

/** A number that is given up stays bought: those of a day are counted, whatever became of them. @throws ControlRefusal */
async function requireFewToday({ clock }: ControlContext, doing: Changing): Promise<void> {
  const { ownerAccountId: accountId } = merchantOf(doing)
  await holdName(doing.tx, 'numbers of a day', accountId)
  const of = { accountId, action: 'number.want', sinceMs: clock.now() - DAY_MS } as const
  const bought = (await auditedSince(doing.tx, of)).filter((after) => {
    const { wanted, provider } = JSON.parse(after ?? '{}') as Partial<NumberAnswer>
    return provider !== 'simulator' && wanted !== undefined && 'areaCode' in wanted
  })
  if (bought.length < BOUGHT_A_DAY) return
  throw new ControlRefusal('refused', `An account gets at most ${BOUGHT_A_DAY} numbers in 24 hours.`, {
    said: { key: 'number.too-many-today', values: { most: BOUGHT_A_DAY } },
  })
}

async function want(
  { phoneNumbers, clock }: ControlContext,
  doing: Changing,
  { wanted, provider }: { wanted: NumberAnswer['wanted']; provider: Provider },
): Promise<Changed<NumberAnswer>> {
  const merchant = merchantOf(doing)
  if ((await phoneNumbers.ofMerchant(merchant.key, doing.tx)).length >= MOST_NUMBERS)
    throw new ControlRefusal('refused', `A restaurant has at most ${MOST_NUMBERS} numbers: give one up first.`, {
      said: { key: 'number.too-many', values: { most: MOST_NUMBERS } },
    })
  const nowMs = clock.now()
  const id = newId('num', nowMs)
  const number = { id, merchant_id: merchant.key, provider, wanted: JSON.stringify(wanted) }
  await phoneNumbers.want(doing.tx, number, nowMs)
  return {
    answer: { numberId: id, provider, e164: null, wanted, state: 'wanted', error: null, isTried: true },
    wake: () => phoneNumbers.changed.notify(),
    audit: {
      ...{ accountId: merchant.ownerAccountId, action: 'number.want', subject: merchant.publicId },
      after: { numberId: id, wanted, provider },
    },
  }
}

async function requireNumber(
  { phoneNumbers }: Pick<ControlContext, 'phoneNumbers'>,
  doing: Changing,
  numberId: PhoneNumberRow['id'],
): Promise<PhoneNumberRow> {
  const row = await phoneNumbers.byId(numberId, doing.tx)
  if (row !== null && row.merchant_id === merchantOf(doing).key) return row
  throw new ControlRefusal('not-found', 'This number is no longer there.', { said: { key: 'number.unknown' } })
}

function numberAnswer(row: PhoneNumberRow): NumberAnswer {
  return {
    numberId: row.id,
    provider: row.provider,
    e164: row.e164,
    // Written by this file alone.
    wanted: JSON.parse(row.wanted) as NumberAnswer['wanted'],
    state: row.state,
    error: row.error,
    isTried: row.next_at !== null,
  }
}
