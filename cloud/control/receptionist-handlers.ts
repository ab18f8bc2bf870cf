// What the receptionist says and knows: its profile, and questions with their answers.

import { refusedNumbers } from '#cloud/receptionist/allowed-numbers.ts'
import { Knowledge } from '#cloud/receptionist/knowledge.ts'
import { DEFAULT_PROFILE, type ReceptionistProfile, readableProfile } from '#cloud/receptionist/profile.ts'
import type { KnowledgeEntriesTable } from '#cloud/storage/schema-receptionist.ts'
import { maskedNumber } from '#cloud/texts/phone-number.ts'
import { toIso } from '#shared/clock.ts'
import { newId } from '#shared/ids.ts'
import { ControlRefusal, notElevated } from './control-refusal.ts'
import { masksCustomers } from './customer-mask.ts'
import { type Handlers, merchantOf } from './handler.ts'
import type { KnowledgeAnswer, RECEPTIONIST_OPERATIONS } from './receptionist-list.ts'
import { previewOf } from './receptionist-preview.ts'
import { refuseStale } from './stale.ts'

/** Of a restaurant: all of them are searched at each question of a caller. */
const MOST_ANSWERS = 500

/** Of the setting, where no relay runs. */
const USUAL_COUNTRIES = ['+1']
/** Indexes of what restaurants know are kept in it. */
const knowledge = new Knowledge()

export const RECEPTIONIST_HANDLERS: Pick<Handlers, keyof typeof RECEPTIONIST_OPERATIONS> = {
  'receptionist.get': async ({ receptionist, running }, doing) => {
    const stored = await receptionist.profile(merchantOf(doing).key)
    const profile = shownProfile(stored)
    const isMasked = masksCustomers(doing)
    // Who is blocked is a customer; the other numbers are the restaurant's own.
    const blocked = isMasked ? profile.blocked.map((number) => maskedNumber(number) ?? '') : profile.blocked
    const refused = refusedNumbers(profile, running?.countries ?? USUAL_COUNTRIES)
    return { profile: { ...profile, blocked }, version: stored?.version ?? 0, isMasked, refused }
  },

  'receptionist.save': async (context, doing, { profile, seen }) => {
    const merchant = merchantOf(doing)
    const stored = await context.receptionist.profile(merchant.key, doing.tx)
    const version = stored?.version ?? 0
    refuseStale({ version }, seen)
    const before = shownProfile(stored)
    requireOrdinary(profile, context.running?.countries ?? USUAL_COUNTRIES)
    const { transfer } = profile
    if (transfer !== null && (await context.phoneNumbers.byE164(transfer.to, doing.tx)) !== null) throw ringsHere()
    // Whoever is called instead of the restaurant hears its customers.
    const isOtherPerson = profile.transfer !== null && profile.transfer.to !== before.transfer?.to
    if (isOtherPerson && merchant.environment === 'live' && !doing.isElevated) throw notElevated()
    const text = JSON.stringify(profile)
    const isSame = stored?.profile === text
    if (!isSame) {
      const change = { merchantKey: merchant.key, profile: text, version, nowMs: context.clock.now() }
      // Another relay may have saved between the two statements.
      if (!(await context.receptionist.putProfile(doing.tx, change))) refuseStale({ version: version + 1 }, seen)
    }
    const answer = { profile, version: isSame ? version : version + 1, isMasked: false, refused: [] }
    if (isSame) return { answer }
    const fields = Object.keys(profile) as (keyof typeof profile)[]
    // Names of fields alone: who is blocked is a customer.
    const changed = fields.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(profile[name]))
    // The telephone company has these in the address that it asks when this relay cannot be.
    const isTold = changed.includes('language') || changed.includes('transfer')
    if (isTold) await context.phoneNumbers.rewire(doing.tx, merchant.key, context.clock.now())
    return {
      answer,
      ...(isTold && { wake: () => context.phoneNumbers.changed.notify() }),
      audit: {
        ...{ accountId: merchant.ownerAccountId, action: 'receptionist.save', subject: merchant.publicId },
        after: { version: answer.version, mode: profile.mode, changed },
      },
    }
  },

  'receptionist.preview': async ({ clock }, doing, { profile }) => previewOf(profile, merchantOf(doing), clock.now()),

  'knowledge.try': async ({ receptionist, clock }, doing, { question }) => {
    const merchant = merchantOf(doing)
    const profile = shownProfile(await receptionist.profile(merchant.key))
    const entries = await receptionist.knowledge(merchant.key)
    const found = knowledge.answer(question, { merchant, profile, entries, nowMs: clock.now() })
    if (found === null) return { found }
    const entry = entries.find(({ id }) => id === found.id)
    return { found: { knowledgeId: found.id, question: entry?.question ?? null, answer: found.say } }
  },

  'knowledge.list': async ({ receptionist }, doing) =>
    (await receptionist.knowledge(merchantOf(doing).key)).map(knowledgeAnswer),

  'knowledge.put': async ({ receptionist, clock }, doing, { knowledgeId, question, answer: says, ...input }) => {
    const { tags, enabled, seen } = input
    const merchant = merchantOf(doing)
    const all = await receptionist.knowledge(merchant.key, doing.tx)
    const before = all.find(({ id }) => id === knowledgeId)
    if (knowledgeId !== undefined && before === undefined) throw unknownAnswer()
    if (before !== undefined) refuseStale({ version: before.version }, seen)
    if (before === undefined && all.length >= MOST_ANSWERS)
      throw new ControlRefusal('refused', `A receptionist has at most ${MOST_ANSWERS} answers: delete one first.`, {
        said: { key: 'knowledge.too-many', values: { most: MOST_ANSWERS } },
      })
    const nowMs = clock.now()
    const version = before?.version ?? 0
    const row: KnowledgeEntriesTable = {
      ...{ id: before?.id ?? newId('kn', nowMs), merchant_id: merchant.key, question, answer: says },
      ...{ tags: JSON.stringify([...new Set(tags)]), enabled: enabled ? 1 : 0 },
      ...{ hits: before?.hits ?? 0, version: version + 1, created_at: before?.created_at ?? nowMs, updated_at: nowMs },
    }
    const { hits: _, version: next, ...entry } = row
    // Another relay may have saved between the two statements.
    if (!(await receptionist.putKnowledge(doing.tx, entry, version))) refuseStale({ version: next }, { version })
    const answer = knowledgeAnswer(row)
    return {
      answer,
      audit: {
        ...{ accountId: merchant.ownerAccountId, action: 'knowledge.put', subject: merchant.publicId },
        ...(before !== undefined && { before: { question: before.question, answer: before.answer } }),
        after: { knowledgeId: row.id, question: row.question, answer: row.answer, enabled },
      },
    }
  },

  'knowledge.delete': async ({ receptionist }, doing, { knowledgeId }) => {
    const merchant = merchantOf(doing)
    if (!(await receptionist.deleteKnowledge(doing.tx, merchant.key, knowledgeId))) throw unknownAnswer()
    return {
      answer: { deleted: true },
      audit: {
        ...{ accountId: merchant.ownerAccountId, action: 'knowledge.delete', subject: merchant.publicId },
        after: { knowledgeId },
      },
    }
  },
}

/** As calls read it: what cannot be read is as if it was not set, and the next save mends it. */
function shownProfile(stored: { profile: string } | null): ReceptionistProfile {
  return stored === null ? DEFAULT_PROFILE : readableProfile(stored.profile).profile
}

/** Calls and text messages that the operator pays for do not go to numbers that cost many times as much. @throws ControlRefusal */
function requireOrdinary(profile: ReceptionistProfile, countries: readonly string[]): void {
  const refused = refusedNumbers(profile, countries)
  if (refused.length === 0) return
  const message = `must be an ordinary number of ${countries.join(', ')}`
  throw new ControlRefusal('invalid', `${refused.join(', ')} ${message}`, {
    errors: refused.map((field) => ({ field, message })),
    said: { key: 'number.not-ordinary', values: { countries: countries.join(', ') } },
  })
}

/** A call passed on to it would come back, at once or by way of another restaurant. */
function ringsHere(): ControlRefusal {
  const message = 'must not be a number that a receptionist answers'
  return new ControlRefusal('invalid', `profile.transfer.to ${message}`, {
    errors: [{ field: 'profile.transfer.to', message }],
    said: { key: 'number.own' },
  })
}

function unknownAnswer(): ControlRefusal {
  return new ControlRefusal('not-found', 'This answer is no longer there.', { said: { key: 'knowledge.unknown' } })
}

function knowledgeAnswer(row: KnowledgeEntriesTable): KnowledgeAnswer {
  return {
    knowledgeId: row.id,
    question: row.question,
    answer: row.answer,
    tags: JSON.parse(row.tags) as string[],
    enabled: row.enabled === 1,
    hits: row.hits,
    version: row.version,
    updatedAt: toIso(row.updated_at),
  }
}
