// Checks for problems in kitchens: boxes, their printers and clocks, tickets that are not on paper.
import { type AlertFactStore, MOST_FACTS, type PlaceOfFact } from '#cloud/storage/alert-fact-store.ts'
import type { OpenAlert } from '#cloud/storage/alert-store.ts'
import { asId, type GatewayId } from '#shared/ids.ts'
import type { FoundAlert } from './alert-changes.ts'
import type { AlertLook, Found } from './alert-look.ts'

/** Tickets that are late by less are not counted. */
const LATE_MS = 60_000
/** An uncertain ticket that was not checked for so long is no longer reported. */
const UNCERTAIN_FOR_MS = 12 * 3_600_000
/** Steps of a clock's error in the words: else they would change every minute. */
const CLOCK_STEP_S = 10

export function kitchenLooks(alertFacts: AlertFactStore): AlertLook[] {
  return [silentBoxes(alertFacts), awayPrinters(alertFacts), wrongClocks(alertFacts), badTickets(alertFacts)]
}

function silentBoxes(alertFacts: AlertFactStore): AlertLook {
  return {
    kinds: ['box-silent'],
    everyMinutes: 1,
    find: async () =>
      whole(await alertFacts.silentBoxes(), (row) => ({
        ...ofPlace(row),
        fact: { kind: 'box-silent', values: { place: placeOf(row) } },
        subject: row.gatewayId,
        sinceMs: row.lastSeenMs,
      })),
    // The relay has just started: each box is unknown until it connects.
    unknown: unheard(alertFacts, 'unknown'),
  }
}

function awayPrinters(alertFacts: AlertFactStore): AlertLook {
  return {
    kinds: ['printer-away'],
    everyMinutes: 1,
    find: async () =>
      whole(await alertFacts.awayPrinters(), (row) => ({
        ...ofPlace(row),
        fact: {
          kind: 'printer-away',
          values: { place: placeOf(row), printer: row.printerName, waiting: row.waiting },
        },
        subject: `${row.gatewayId} ${row.printerId}`,
        sinceMs: null,
      })),
    unknown: unheard(alertFacts, 'unknown', 'offline'),
  }
}

function wrongClocks(alertFacts: AlertFactStore): AlertLook {
  return {
    kinds: ['clock-off'],
    everyMinutes: 1,
    find: async () =>
      whole(await alertFacts.wrongClocks(), (row) => ({
        ...ofPlace(row),
        // The relay's time minus that of the box.
        fact: { kind: 'clock-off', values: { place: placeOf(row), seconds: -inSteps(row.offsetMs / 1_000) } },
        subject: row.gatewayId,
        sinceMs: null,
      })),
    unknown: unheard(alertFacts, 'unknown', 'offline'),
  }
}

function badTickets(alertFacts: AlertFactStore): AlertLook {
  return {
    kinds: ['ticket-late', 'ticket-uncertain'],
    everyMinutes: 1,
    find: async (nowMs) => {
      const late = whole(await alertFacts.lateTickets({ dueMs: nowMs - LATE_MS, nowMs }), (row) => ({
        ...ofPlace(row),
        fact: { kind: 'ticket-late', values: { place: placeOf(row), tickets: row.tickets } },
        subject: row.locationId,
        sinceMs: row.sinceMs,
      }))
      const doubtful = whole(await alertFacts.uncertainTickets(nowMs - UNCERTAIN_FOR_MS), (row) => ({
        ...ofPlace(row),
        fact: { kind: 'ticket-uncertain', values: { place: placeOf(row), tickets: row.tickets } },
        subject: row.locationId,
        sinceMs: row.sinceMs,
      }))
      return together(late, doubtful)
    },
  }
}

/** The printers and clock of a disconnected box are not known. @param presences in which the alert stays */
function unheard(alertFacts: AlertFactStore, ...presences: string[]): NonNullable<AlertLook['unknown']> {
  const gatewayOf = ({ subject }: OpenAlert): GatewayId => asId(subject.split(' ')[0] ?? '')
  return async (missing) => {
    const away = await alertFacts.unheard(missing.map(gatewayOf))
    return new Set(missing.filter((it) => presences.includes(away.get(gatewayOf(it)) ?? '')).map(({ id }) => id))
  }
}

function whole<T>(rows: readonly T[], alertOf: (row: T) => FoundAlert): Found {
  return { alerts: rows.map(alertOf), isWhole: rows.length < MOST_FACTS }
}

function together(...all: Found[]): Found {
  return { alerts: all.flatMap(({ alerts }) => alerts), isWhole: all.every(({ isWhole }) => isWhole) }
}

function ofPlace({ accountId, merchantKey, environment }: PlaceOfFact) {
  return { accountId, merchantKey, environment }
}

/** The restaurant, and its kitchen where that has another name. */
function placeOf({ merchantName, locationName }: PlaceOfFact): string {
  return merchantName === locationName ? merchantName : `${merchantName}, ${locationName}`
}

function inSteps(seconds: number): number {
  return Math.round(seconds / CLOCK_STEP_S) * CLOCK_STEP_S
}
