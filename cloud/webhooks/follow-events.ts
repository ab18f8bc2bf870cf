// Follows the events: each once, oldest first in the order of commits, from the last cursor of the follower.
import { ListCursors } from '#cloud/storage/cursor.ts'
import { positionAt } from '#cloud/storage/event-position.ts'
import type { EventStore } from '#cloud/storage/event-store.ts'
import { ServiceError } from '#shared/errors.ts'
import { isId, timeOfId } from '#shared/ids.ts'
import type { EventsQuery } from '#shared/wire/api/webhooks.ts'
import type { WebhookEvent } from '#shared/wire/webhook-event.ts'
import { type EndpointMerchant, ownerOf } from './endpoints.ts'
import { type EventDeps, eventOf } from './events.ts'
import type { SecretBox } from './secret-box.ts'

const DAY_MS = 86_400_000
const TODO = 'send after=start, and skip events you already have'

export interface FollowDeps extends EventDeps {
  secretBox: SecretBox
}

type FollowQuery = Pick<EventsQuery, 'type' | 'subjectId' | 'limit'> & { after: string }

/**
 * The next events after a cursor: `start`, `now`, an event's id, or the `nextCursor` of the previous page. There is always a next cursor,
 * even after an empty page: everything committed up to it was returned, or does not match the filters.
 * @throws ServiceError request.invalid (422) with `after` for the cursor of another list; event.place_gone (410) if events after the cursor
 * are gone, or it is from a state that this relay does not have
 */
export async function followEvents(
  { events, clock, secretBox }: FollowDeps,
  merchant: EndpointMerchant,
  { type, subjectId, limit, after }: FollowQuery,
): Promise<{ data: WebhookEvent[]; nextCursor: string }> {
  const cursors = new ListCursors({
    list: 'events, in commit order',
    of: [merchant.accountId, merchant.key],
    filters: { type, subjectId },
    field: { name: 'after', beginAnew: 'send after=start' },
  })
  const encode = (position: number) => sealed(secretBox, cursors.encode({ at: position, id: '' }))
  const place = await placeOf({ events, cursors, secretBox }, merchant, after)
  // Read first, as the limit: all later reads see everything committed up to here, but possibly only a part of what comes later.
  const head = await events.head(merchant.key)
  if (after === 'now') return { data: [], nextCursor: encode(head) }
  const span = { above: place.position, below: head + 1 }
  const rows = await events.list(ownerOf(merchant), { type, subjectId, ...span }, { order: 'asc', limit })
  // Checked last, so that events that were deleted meanwhile are not skipped silently.
  await place.check()
  const last = rows.at(-1)?.position ?? place.position
  // At the end of the events, a cursor of today is returned unchanged: the positions of others' events are confidential, and a restore may
  // have lost them. An older one is moved to the head, so that it does not expire while it is used.
  const isStale = last < positionAt(clock.now() - DAY_MS)
  const reached = rows.length < limit && isStale ? head : last
  // Sealing is randomized, so the same position keeps its text.
  const nextCursor = place.isCursor && reached === place.position ? after : encode(reached)
  return { data: rows.map(eventOf), nextCursor }
}

/**
 * Positions count the events of all accounts: a client that could read or forge a cursor would learn when others have events. A cursor
 * under another key is invalid.
 */
function sealed(box: SecretBox, cursor: string): string {
  return Buffer.from(box.seal(cursor), 'base64').toString('base64url')
}

/** @throws ServiceError request.invalid (422) with `after` if it was not sealed with this relay's key */
function opened(box: SecretBox, text: string): string {
  try {
    return box.open(text)
  } catch {
    const message = `must be the nextCursor of an earlier answer to after, since the last update of the relay: ${TODO}`
    throw new ServiceError('request.invalid', { errors: [{ field: 'after', message }] })
  }
}

interface Place {
  position: number
  /** True if it was returned with an earlier page. */
  isCursor: boolean
  /** Throws if events after it may be gone. */
  check(): Promise<void>
}

async function placeOf(
  { events, cursors, secretBox }: { events: EventStore; cursors: ListCursors; secretBox: SecretBox },
  merchant: EndpointMerchant,
  after: string,
): Promise<Place> {
  if (after === 'start' || after === 'now')
    return { position: await events.forgotten(merchant.key), isCursor: false, check: async () => {} }
  // No cursor has this prefix, so it is meant as an event id, even if it is misspelt.
  if (after.startsWith('evt_')) {
    const event = isId('evt', after) ? await events.find(ownerOf(merchant), after) : null
    if (event === null) throw gone('the event is older than 30 days, was lost in a restore, or never existed')
    const { position } = event
    if (isId('evt', after) && (await events.mayBeToldAgain({ orderedMs: timeOfId(after), position })))
      throw gone(
        'the relay was restored from a copy after its order, and may have sent it before from another position',
      )
    return { position, isCursor: false, check: () => checkAge(events, merchant, position) }
  }
  const position = cursors.decode(opened(secretBox, after))?.at ?? 0
  const check = async () => {
    const isKnown = await events.has(merchant.key, position)
    await checkAge(events, merchant, position)
    if (!isKnown && position !== (await events.forgotten(merchant.key)))
      throw gone('the relay was restored from a backup that does not have the events up to this place')
  }
  return { position, isCursor: true, check }
}

async function checkAge(events: EventStore, merchant: EndpointMerchant, position: number): Promise<void> {
  if (position < (await events.forgotten(merchant.key)))
    throw gone('this place is older than 30 days, and events after it have been deleted')
}

function gone(reason: string): ServiceError {
  return new ServiceError('event.place_gone', {
    message: `Cannot resume here: ${reason}.`,
    errors: [{ field: 'after', message: TODO }],
  })
}
