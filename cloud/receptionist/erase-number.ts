// Everything that a restaurant keeps of one telephone number, to be given out or erased: calls, recordings, requests for a table, text messages, and the customers of orders.
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { CallerDataStore } from '#cloud/storage/caller-data-store.ts'
import type { CustomerDataStore } from '#cloud/storage/customer-data-store.ts'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import { holdCallsOf } from '#cloud/storage/hold.ts'
import type { VoicemailStore } from '#cloud/storage/voicemail-store.ts'
import { numberMac } from '#cloud/texts/write-text.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { type Clock, toIso } from '#shared/clock.ts'
import type { MerchantKey, ServiceOrderId, VoicemailId } from '#shared/ids.ts'
import { parseJson } from '#shared/parse-json.ts'
import { openedOrNull } from './call-state.ts'
import { MediaError, type MediaStore } from './media-store.ts'

export interface CallerOf {
  merchantKey: MerchantKey
  /** E.164. */
  number: string
}

export interface CallerDeps {
  db: RelayDatabase
  callerData: CallerDataStore
  customerData: CustomerDataStore
  voicemails: VoicemailStore
  /** Null: the program cannot reach the files, and the sweep of the relay deletes them. */
  media: Pick<MediaStore, 'delete'> | null
  secretBox: SecretBox
  clock: Clock
  /** Codes such as `+1`; the first is that of numbers without one. */
  countries?: readonly string[]
}

/** How much there was. */
export interface ErasedNumber {
  calls: number
  recordings: number
  tableRequests: number
  texts: number
  orders: number
  /** Recordings whose file could not be deleted at once: nothing knows them any more, and the hourly sweep of files deletes them. */
  filesLeft: number
}

/** As it is given to the person who asks; times ISO. A text is null when there is none, or when it cannot be opened any more. */
export interface ExportedCaller {
  calls: { at: string; turns: { who: string; text: string | null; at: string }[] }[]
  voicemails: { voicemailId: string; at: string; seconds: number; text: string | null; hasAudio: boolean }[]
  tableRequests: { at: string; details: unknown }[]
  texts: { at: string; text: string | null }[]
  orders: { serviceOrderId: string; customer: unknown }[]
  /** Stored texts that cannot be opened, such as those that were sealed under another master key. */
  unreadable: number
}

/** Numbers of orders are as somebody typed them. Those without a country are of the restaurant's own number, else as in text messages. */
const USUAL_CODE = '+1'
const ORDERS_PIECE = 200

export async function exportCaller(deps: CallerDeps, { merchantKey, number }: CallerOf): Promise<ExportedCaller> {
  const { callerData, secretBox } = deps
  const rows = await callerData.ofNumber(merchantKey, numberMac(secretBox, number))
  const orders: ExportedCaller['orders'] = []
  for await (const { id, customer } of ordersOf(deps, { merchantKey, number }))
    orders.push({ serviceOrderId: id, customer })
  let unreadable = 0
  const opened = (sealed: string): string | null => {
    const text = openedOrNull(sealed, (it) => secretBox.open(it))
    if (text === null && sealed !== '') unreadable += 1
    return text
  }
  const kept = {
    calls: rows.calls.map(({ at, turns }) => ({
      at: toIso(at),
      turns: turns.map((turn) => ({ who: turn.who, text: opened(turn.textEnc), at: toIso(turn.at) })),
    })),
    voicemails: rows.voicemails.map(({ id, at, seconds, textEnc, hasAudio }) => ({
      voicemailId: id,
      at: toIso(at),
      seconds,
      text: textEnc === null ? null : opened(textEnc),
      hasAudio,
    })),
    tableRequests: rows.tableRequests.map(({ at, detailsEnc }) => ({
      at: toIso(at),
      details: parseJson(opened(detailsEnc) ?? 'null'),
    })),
    texts: rows.texts.map(({ at, textEnc }) => ({ at: toIso(at), text: opened(textEnc) })),
    orders,
  }
  return { ...kept, unreadable }
}

/**
 * Erases it in pieces: a repetition after a power cut erases the rest. Orders stay, without their customer. The provider's copies of recordings
 * are taken away by the worker of recordings.
 * @returns null: a call of this number goes on, and nothing was erased
 */
export async function eraseNumber(deps: CallerDeps, { merchantKey, number }: CallerOf): Promise<ErasedNumber | null> {
  const { db, callerData, customerData, voicemails, media, secretBox, clock } = deps
  const of = { merchantKey, mac: numberMac(secretBox, number), nowMs: clock.now() }
  const erased = await db.unit(async (tx) => {
    // A call that begins meanwhile begins after this unit: it is none of what was to be erased.
    await holdCallsOf(tx, merchantKey)
    return (await callerData.isCalling(merchantKey, of.mac, tx)) ? null : callerData.eraseNumber(tx, of)
  })
  if (erased === null) return null
  if (erased.voicemails.length > 0) voicemails.changed.notify(merchantKey)
  let orders = 0
  for await (const { id } of ordersOf(deps, { merchantKey, number })) {
    await db.unit((tx) => customerData.blank(tx, id))
    orders += 1
  }
  let filesLeft = 0
  for (const id of erased.voicemails) if (!(await isDeleted(media, id))) filesLeft += 1
  const { calls, tableRequests, texts } = erased
  return { calls, recordings: erased.voicemails.length, tableRequests, texts, orders, filesLeft }
}

async function isDeleted(media: CallerDeps['media'], id: VoicemailId): Promise<boolean> {
  try {
    await media?.delete(id)
    return media !== null
  } catch (error) {
    if (error instanceof MediaError) return false
    throw error
  }
}

/** Orders whose customer has this number, however it was typed. */
async function* ordersOf(
  { callerData, countries: [usualCode = USUAL_CODE] = [] }: Pick<CallerDeps, 'callerData' | 'countries'>,
  { merchantKey, number }: CallerOf,
): AsyncGenerator<{ id: ServiceOrderId; customer: unknown }> {
  const homeCode = homeCodeOf(await callerData.ownNumber(merchantKey)) ?? usualCode.slice(1)
  let after: ServiceOrderId | null = null
  do {
    const page: { id: ServiceOrderId; body: string }[] = await callerData.ordersWithCustomer(merchantKey, {
      after,
      limit: ORDERS_PIECE,
    })
    for (const { id, body } of page) {
      const customer = customerOf(body)
      const phone = customer?.phone
      if (typeof phone === 'string' && normalised(phone, homeCode) === number) yield { id, customer }
    }
    after = page.at(-1)?.id ?? null
  } while (after !== null)
}

function customerOf(body: string): { phone?: unknown } | null {
  const value = parseJson(body)
  if (typeof value !== 'object' || value === null || !('customer' in value)) return null
  return typeof value.customer === 'object' ? value.customer : null
}

/** E.164; null: it is no number. */
function normalised(text: string, homeCode: string): string | null {
  return parsePhoneNumberFromString(text, { defaultCallingCode: homeCode })?.number ?? null
}

function homeCodeOf(ownNumber: string | null): string | undefined {
  return parsePhoneNumberFromString(ownNumber ?? '')?.countryCallingCode
}
