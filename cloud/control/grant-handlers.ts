// Grants: ask, approve with scopes, narrow, take back.
import { SCOPES, type Scope } from '#cloud/auth/scopes.ts'
import type { NoticeValues } from '#cloud/notices/notice-kinds.ts'
import { type Cursor, ListCursors } from '#cloud/storage/cursor.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { GrantRequest } from '#cloud/storage/grant-request-store.ts'
import type { Grant, GrantKey, GrantPage, GrantWithOrders } from '#cloud/storage/grant-store.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { MerchantsTable } from '#cloud/storage/schema-accounts.ts'
import { isoOrNull, toIso } from '#shared/clock.ts'
import { type AccountId, asId } from '#shared/ids.ts'
import { accountOf } from './act.ts'
import type { ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import type { GRANT_OPERATIONS, GrantAnswer, GrantRequestAnswer } from './grant-list.ts'
import { type Doing, type Handlers, merchantOf } from './handler.ts'
import { minutesUntilRoom } from './hourly-limit.ts'
import { requireAccount } from './require.ts'
import { tellOwners } from './tell-owners.ts'

const DAY_MS = 86_400_000
const SHOWN_DAYS = 30
/** Requests of one account that wait for an answer. */
const MOST_REQUESTS = 50

export const GRANT_HANDLERS: Pick<Handlers, keyof typeof GRANT_OPERATIONS> = {
  'grants.list': async ({ grants, clock }, doing, { side, limit, cursor }) => {
    const account = accountOf(doing)
    const cursors = new ListCursors({ list: 'grants', of: [account], filters: { side } })
    const of = side === 'given' ? { ownerId: account } : { accountId: account }
    const sinceMs = clock.now() - SHOWN_DAYS * DAY_MS
    const found = await grants.listWithOrders(of, { ...pageOf(cursors, cursor, limit), sinceMs })
    const { rows, nextCursor } = cursors.page(found, limit, placeOfGrant)
    return { data: rows.map(grantAnswer), nextCursor }
  },

  'grants.requests': async ({ grantRequests }, doing, { side, limit, cursor }) => {
    const account = accountOf(doing)
    const cursors = new ListCursors({ list: 'requests for a grant', of: [account], filters: { side } })
    const of = side === 'received' ? { ownerId: account } : { accountId: account }
    const place = placeIn(cursors, cursor)
    const after = place && { ...place, askedAtMs: place.atMs }
    const found = await grantRequests.open(of, { after, limit: limit + 1 })
    const { rows, nextCursor } = cursors.page(found, limit, (request) => placeOf(request, request.askedAtMs))
    const data = rows.map((request) => requestAnswer(request, side === 'received' ? request.merchantName : null))
    return { data, nextCursor }
  },

  'grants.ask': async (context, doing, { restaurant, scopes, text = '' }) => {
    const accountId = accountOf(doing)
    const { grants, grantRequests, clock } = context
    const [row] = await context.merchants.named(restaurant)
    if (row === undefined || row.environment !== 'live')
      throw new ControlRefusal('not-found', `There is no restaurant ${restaurant}. Ask it for its id: M-PROD-...`, {
        errors: [{ field: 'restaurant', message: `there is no restaurant ${restaurant}` }],
        said: { key: 'grant.no-restaurant', values: { merchantId: restaurant } },
      })
    const key = { accountId, merchantKey: row.id }
    if (row.account_id === accountId) throw ownsIt(accountId, restaurant)
    const stands = await grants.find(doing.tx, key)
    if (stands !== null && scopes.every((scope) => stands.scopes?.includes(scope) ?? true))
      throw new ControlRefusal('refused', `You have a grant at ${restaurant} with these scopes already.`, {
        said: { key: 'grant.has', values: { merchantId: restaurant } },
      })
    if ((await grantRequests.countOpen(doing.tx, accountId)) >= MOST_REQUESTS)
      throw new ControlRefusal(
        'refused',
        `${MOST_REQUESTS} of your requests wait for an answer: wait for some of them.`,
        {
          said: { key: 'grant.too-many', values: { most: MOST_REQUESTS } },
        },
      )
    const waits = (await grantRequests.waiting(doing.tx, key)) !== null
    const atMs = clock.now()
    const askedBy = doing.by === 'person' ? doing.userId : null
    await grantRequests.ask(doing.tx, { ...key, ownerId: row.account_id, scopes: inOrder(scopes), text, askedBy, atMs })
    const after = { merchantId: restaurant, account: accountId, scopes: inOrder(scopes) }
    return {
      ...(!waits && {
        wake: await tellAsked(doing.tx, context, { restaurant: row, accountId, scopes: inOrder(scopes) }),
      }),
      answer: { merchantId: restaurant, askedAt: toIso(atMs) },
      // Both accounts see it, the requesting one and the requested one, once until it is answered, so that nobody can fill the log of others.
      audit: (waits ? [accountId] : [accountId, row.account_id]).map((of) => ({
        accountId: of,
        action: 'grant.ask',
        subject: restaurant,
        after,
      })),
    }
  },

  'grants.approve': async (context, doing, { accountId, scopes }) => {
    const merchant = await grantable(context, doing, accountId)
    const key = { accountId, merchantKey: merchant.key }
    const atMs = context.clock.now()
    const before = await context.grants.find(doing.tx, key)
    const wanted = wantedScopes({ scopes, stands: before, asked: await context.grantRequests.waiting(doing.tx, key) })
    const isNew = before === null
    const changes = isNew || !sameScopes(before.scopes, wanted)
    if (isNew) await context.grants.add(doing.tx, key, { scopes: wanted, atMs })
    else if (changes) await context.grants.setScopes(doing.tx, key, wanted)
    const answered = await context.grantRequests.answer(doing.tx, key, { answer: 'approved', atMs })
    const after = { account: accountId, ...(wanted === null ? {} : { scopes: wanted }) }
    const entry = {
      accountId: merchant.ownerAccountId,
      action: 'grant.add' as const,
      subject: merchant.publicId,
      after,
    }
    const tells = changes || answered
    return {
      ...(tells && {
        wake: await tellAnswered(doing.tx, context, {
          grant: key,
          answer: { deed: 'approved', merchant, scopes: wanted },
        }),
      }),
      answer: { merchantId: merchant.publicId, accountId, scopes: known(wanted), changed: changes },
      audit: changes ? (isNew ? entry : { ...entry, before: { account: accountId, scopes: before.scopes } }) : [],
    }
  },

  'grants.decline': async (context, doing, { accountId }) => {
    const merchant = merchantOf(doing)
    const key = { accountId, merchantKey: merchant.key }
    const declined = await context.grantRequests.answer(doing.tx, key, {
      answer: 'declined',
      atMs: context.clock.now(),
    })
    if (!declined)
      throw new ControlRefusal('not-found', `${accountId} does not wait for an answer.`, {
        said: { key: 'grant.no-request' },
      })
    return {
      wake: await tellAnswered(doing.tx, context, { grant: key, answer: { deed: 'declined', merchant, scopes: [] } }),
      answer: { merchantId: merchant.publicId, accountId },
      audit: {
        accountId: merchant.ownerAccountId,
        action: 'grant.decline',
        subject: merchant.publicId,
        after: { account: accountId },
      },
    }
  },

  'grants.narrow': async (context, doing, { accountId, scopes }) => {
    const merchant = await grantable(context, doing, accountId)
    const key = { accountId, merchantKey: merchant.key }
    const before = await context.grants.find(doing.tx, key)
    if (before === null) throw noGrant(accountId)
    const wider = scopes.filter((scope) => before.scopes !== null && !before.scopes.includes(scope))
    if (wider.length > 0)
      throw new ControlRefusal('refused', `The grant lacks ${wider.join(', ')}: to give more, approve it anew.`, {
        said: { key: 'grant.wider', values: { scopes: wider.join(', ') } },
      })
    const left = inOrder(scopes)
    await context.grants.setScopes(doing.tx, key, left)
    const tells = !sameScopes(before.scopes, left)
    return {
      ...(tells && {
        wake: await tellAnswered(doing.tx, context, {
          grant: key,
          answer: { deed: 'narrowed', merchant, scopes: left },
        }),
      }),
      answer: { merchantId: merchant.publicId, accountId, scopes: left },
      audit: {
        accountId: merchant.ownerAccountId,
        action: 'grant.narrow',
        subject: merchant.publicId,
        before: { account: accountId, scopes: before.scopes },
        after: { account: accountId, scopes: left },
      },
    }
  },

  'grants.remove': async (context, doing, { accountId }) => {
    const merchant = await grantable(context, doing, accountId)
    const key = { accountId, merchantKey: merchant.key }
    const changed = await context.grants.remove(doing.tx, key)
    const after = { account: accountId }
    const entry = {
      accountId: merchant.ownerAccountId,
      action: 'grant.remove' as const,
      subject: merchant.publicId,
      after,
    }
    return {
      ...(changed && {
        wake: await tellAnswered(doing.tx, context, { grant: key, answer: { deed: 'removed', merchant, scopes: [] } }),
      }),
      answer: { merchantId: merchant.publicId, accountId, changed },
      audit: changed ? entry : [],
    }
  },

  'op.grants': async ({ grants }, { merchant }, { accountId, merchantId, limit, cursor }) => {
    const cursors = new ListCursors({ list: 'grants', of: [], filters: { accountId, merchantId } })
    const found = await grants.list({ accountId, merchantKey: merchant?.key }, pageOf(cursors, cursor, limit))
    const { rows, nextCursor } = cursors.page(found, limit, placeOfGrant)
    return {
      data: rows.map((grant) => ({
        accountId: grant.accountId,
        accountName: grant.accountName,
        merchantId: grant.merchantId,
        scopes: known(grant.scopes),
        grantedAt: toIso(grant.grantedAtMs),
      })),
      nextCursor,
    }
  },
}

/** The merchant of the input, which the account may be granted. @throws ControlRefusal */
async function grantable(context: ControlContext, doing: Doing, accountId: AccountId): Promise<MerchantRecord> {
  await requireAccount(context, accountId)
  const merchant = merchantOf(doing)
  if (merchant.ownerAccountId === accountId) throw ownsIt(accountId, merchant.publicId)
  return merchant
}

function ownsIt(accountId: AccountId, merchantId: string): ControlRefusal {
  return new ControlRefusal('refused', `${accountId} owns ${merchantId} and needs no grant.`, {
    said: { key: 'grant.owner', values: { merchantId } },
  })
}

function noGrant(accountId: AccountId): ControlRefusal {
  return new ControlRefusal('not-found', `${accountId} has no grant here.`, { said: { key: 'grant.none' } })
}

/** The scopes that an approval gives. @param given.scopes the ones it names; null: all. Without them: the requested ones, in addition to the existing ones */
function wantedScopes(given: {
  scopes: readonly Scope[] | null | undefined
  stands: Pick<Grant, 'scopes'> | null
  asked: readonly string[] | null
}): readonly string[] | null {
  const { scopes, stands, asked } = given
  if (scopes !== undefined) return scopes === null ? null : inOrder(scopes)
  if (stands === null) return asked === null ? null : known(asked)
  return stands.scopes === null || asked === null ? stands.scopes : known([...stands.scopes, ...asked])
}

/** Each once, as the list of scopes has them. */
function inOrder(scopes: readonly Scope[]): Scope[] {
  return SCOPES.filter((scope) => scopes.includes(scope))
}

/** The scopes that this build supports. */
function known(scopes: readonly string[] | null): Scope[] | null {
  return scopes === null ? null : SCOPES.filter((scope) => scopes.includes(scope))
}

function sameScopes(a: readonly string[] | null, b: readonly string[] | null): boolean {
  return JSON.stringify(known(a)) === JSON.stringify(known(b))
}

function grantAnswer(grant: GrantWithOrders): GrantAnswer {
  const { count, more, lastAtMs } = grant.orders
  return {
    merchantId: grant.merchantId,
    merchantName: grant.merchantName,
    accountId: grant.accountId,
    accountName: grant.accountName,
    scopes: known(grant.scopes),
    grantedAt: toIso(grant.grantedAtMs),
    orders: { count, more, lastAt: isoOrNull(lastAtMs) },
  }
}

const placeOf = ({ accountId, merchantKey }: GrantKey, atMs: number): Cursor => ({
  at: atMs,
  id: `${accountId} ${merchantKey}`,
})

const placeOfGrant = (grant: Grant): Cursor => placeOf(grant, grant.grantedAtMs)

/** @throws ServiceError request.invalid: no cursor of this list */
function placeIn(cursors: ListCursors, text: string | undefined): (GrantKey & { atMs: number }) | null {
  const place = cursors.decode(text)
  if (place === null) return null
  const [accountId = '', merchantKey = ''] = place.id.split(' ')
  return { atMs: place.at, accountId: asId<'acc'>(accountId), merchantKey: asId<'mer'>(merchantKey) }
}

/** @throws ServiceError request.invalid: no cursor of this list */
function pageOf(cursors: ListCursors, text: string | undefined, limit: number): GrantPage {
  const place = placeIn(cursors, text)
  return { after: place && { ...place, grantedAtMs: place.atMs }, limit: limit + 1 }
}

function requestAnswer(request: GrantRequest, merchantName: string | null): GrantRequestAnswer {
  return {
    merchantId: request.merchantId,
    merchantName,
    accountId: request.accountId,
    accountName: request.accountName,
    scopes: known(request.scopes) ?? [],
    text: request.text,
    askedAt: toIso(request.askedAtMs),
  }
}

/** The most mails to one account within an hour, whoever requests. The dashboard shows every request. */
const MOST_ASKED = 20

/** Mail to the owners of the restaurant, for a request that did not wait before: asking again writes no mail. @returns `wake` */
async function tellAsked(
  tx: Tx,
  context: ControlContext,
  {
    restaurant,
    accountId,
    scopes,
  }: {
    restaurant: Pick<MerchantsTable, 'account_id' | 'public_id' | 'name'>
    accountId: AccountId
    scopes: readonly string[]
  },
): Promise<() => void> {
  const { account_id: ownerId, public_id: merchantId, name: merchantName } = restaurant
  const full = await minutesUntilRoom(tx, context, {
    accountId: ownerId,
    most: MOST_ASKED,
    count: (sinceMs) => context.notices.written(tx, { accountId: ownerId, kind: 'access-asked', sinceMs }),
  })
  if (full !== null) return () => undefined
  const { name: partnerName } = await requireAccount(context, accountId)
  const values = { merchantId, merchantName, partnerId: accountId, partnerName, scopes, atMs: context.clock.now() }
  return tellOwners(tx, context, { accountId: ownerId, notice: { kind: 'access-asked', values } })
}

interface AnsweredAccess extends Pick<NoticeValues['access-answered'], 'deed' | 'scopes'> {
  merchant: Pick<MerchantRecord, 'publicId'>
}

/** Mail to the owners of the partner. @returns `wake` */
async function tellAnswered(
  tx: Tx,
  context: ControlContext,
  {
    grant: { accountId },
    answer: { deed, merchant, scopes },
  }: { grant: Pick<GrantKey, 'accountId'>; answer: AnsweredAccess },
): Promise<() => void> {
  const { name: accountName } = await requireAccount(context, accountId)
  const values = { deed, merchantId: merchant.publicId, accountName, scopes, atMs: context.clock.now() }
  return tellOwners(tx, context, { accountId, notice: { kind: 'access-answered', values } })
}
