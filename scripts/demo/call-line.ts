// The telephone line of `npm start -- --call`: a number of the simulated company in the demo's database, and a receptionist that answers it. Whatever the demo's owner has set is left as it is.
import { dirname, join } from 'node:path'
import { receptionistProfile } from '#cloud/receptionist/profile.ts'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import { type MerchantRecord, MerchantStore } from '#cloud/storage/merchant-store.ts'
import { PhoneNumberStore } from '#cloud/storage/phone-number-store.ts'
import { ReceptionistStore } from '#cloud/storage/receptionist-store.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { SimulatedTelephony } from '#cloud/telephony/simulated/simulated-telephony.ts'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { Clock } from '#shared/clock.ts'
import { type AccountId, type MerchantKey, newId, type PhoneNumberId } from '#shared/ids.ts'
import { type DemoAccount, openMasterKey } from './account.ts'
import type { DataPaths } from './data-folder.ts'
import { DemoError } from './demo-error.ts'

/** A line that somebody answers. */
export interface CallLine {
  numberId: PhoneNumberId
  e164: string
  /** The company that signs its hooks. */
  telephony: SimulatedTelephony
}

/** Without hours it is open at any time: the demo takes an order also at night. @param name of the restaurant, as the dashboard shows it */
const profileFor = (name: string) =>
  receptionistProfile.parse({ mode: 'answers', greeting: `Thank you for calling ${name}.`, orders: { isOn: true } })
const KNOWN = {
  question: 'Are you open on Sunday?',
  answer: 'Yes, we are open every day, also on Sunday.',
  tags: JSON.stringify(['sunday']),
}

/** Of a data folder whose relay does not run. @throws DemoError for the folder of a demo that knows no account */
export async function openCallLine(paths: DataPaths, account: DemoAccount, clock: Clock): Promise<CallLine> {
  const db = await SqliteDatabase.open(paths.cloudDatabase, (error) => {
    throw error
  })
  try {
    const merchant = await merchantOf(db, account, paths)
    const { key: merchantKey } = merchant
    const numbers = new PhoneNumberStore(db)
    const telephony = simulatedTelephony(paths, numbers)
    await setReceptionist(db, merchant, clock)
    const known = (await numbers.ofMerchant(merchantKey)).find(
      ({ provider, state }) => provider === telephony.provider && state === 'wired',
    )
    if (known?.e164) return { numberId: known.id, e164: known.e164, telephony }
    return { ...(await wireNumber({ db, numbers, telephony, clock }, merchantKey)), telephony }
  } finally {
    await db.close()
  }
}

async function merchantOf(db: RelayDatabase, account: DemoAccount, paths: DataPaths): Promise<MerchantRecord> {
  // The demo wrote it itself.
  const { accountId, merchantId } = account
  const merchant = accountId === undefined ? null : await new MerchantStore(db).find(accountId as AccountId, merchantId)
  if (merchant !== null) return merchant
  throw new DemoError(`--call needs a newer demo than the one in ${paths.root}: choose another folder with --data DIR.`)
}

/** The company signs with the relay's master key, as the relay itself expects it. */
function simulatedTelephony(paths: DataPaths, numbers: PhoneNumberStore): SimulatedTelephony {
  const secretBox = new SecretBox(Buffer.from(openMasterKey(paths), 'base64'))
  return new SimulatedTelephony({
    folder: join(dirname(paths.cloudDatabase), 'media', 'simulated'),
    seal: (text) => secretBox.seal(text),
    open: (sealed) => secretBox.open(sealed),
    mac: (purpose, text) => secretBox.mac(purpose, text),
    transcribes: false,
    isTaken: async (e164) => (await numbers.byE164(e164)) !== null,
  })
}

async function setReceptionist(
  db: RelayDatabase,
  { key: merchantKey, name }: MerchantRecord,
  clock: Clock,
): Promise<void> {
  const store = new ReceptionistStore(db)
  const nowMs = clock.now()
  await db.unit(async (tx) => {
    const change = { merchantKey, profile: JSON.stringify(profileFor(name)), version: 0, nowMs }
    if ((await store.profile(merchantKey, tx)) !== null) return
    await store.putProfile(tx, change)
    const times = { enabled: 1, created_at: nowMs, updated_at: nowMs }
    await store.putKnowledge(tx, { id: newId('kn', nowMs), merchant_id: merchantKey, ...KNOWN, ...times })
  })
}

async function wireNumber(
  {
    db,
    numbers,
    telephony,
    clock,
  }: { db: RelayDatabase; numbers: PhoneNumberStore; telephony: SimulatedTelephony; clock: Clock },
  merchantKey: MerchantKey,
): Promise<Omit<CallLine, 'telephony'>> {
  const nowMs = clock.now()
  const id = newId('num', nowMs)
  const wanted = { areaCode: '202' }
  const wired = await telephony.provision(wanted, { name: id })
  await db.unit(async (tx) => {
    const row = { id, merchant_id: merchantKey, provider: telephony.provider, wanted: JSON.stringify(wanted) } as const
    await numbers.want(tx, row, nowMs)
    const attempt = await numbers.begin(tx, id, { nowMs, untilMs: nowMs })
    if (attempt !== null) await numbers.wired(tx, attempt, { ...wired, nowMs })
  })
  return { numberId: id, e164: wired.e164 }
}
