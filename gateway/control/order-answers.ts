// The answers of the operations on orders, as JSON. Instants are ISO 8601; texts of an order are as they were sent: escape them for display.
import type { TimelineStep } from '#gateway/storage/ticket-history.ts'

export interface OrderAnswer {
  /** Of the job that brought it: names the order everywhere. */
  printJobId: string
  /** The number as on paper; empty: its row is damaged. */
  number: string
  /** As the client calls it. */
  clientOrderId: string
  serviceOrderId: string
  source: string
  orderType: string | null
  table: string | null
  /** The part of the guest's name that is on paper, while it may be stored. */
  guest: string | null
  isTest: boolean
  /** For the screens alone: it has no tickets. */
  isWithoutPaper: boolean
  receivedAt: string
  /** It was to be made then; null: at once. */
  notBefore: string | null
  /** Promised for then. */
  readyBy: string | null
  voidedAt: string | null
  readyAt: string | null
  pickedUpAt: string | null
  /** `2 Burger`, the first few. */
  items: string[]
  /** How many lines there are in all. */
  lines: number
  /** The number of its tickets in each state. `trouble`: a person must check. */
  tickets: { waiting: number; printed: number; trouble: number; cancelled: number }
}

export interface OrderPage {
  orders: OrderAnswer[]
  /** `before` of the next page; null: all stored orders were searched. */
  next: number | null
  /** Searched back to here; null: nothing is stored. With fewer orders than requested and a `next`, the search continues there. */
  lookedBackTo: string | null
}

export interface OrderLineAnswer {
  qty: number
  name: string
  note: string | null
  /** Each with its sign before it: `- NO onion`. */
  modifiers: string[]
  station: string | null
  course: number | null
  seat: number | null
  struckAt: string | null
}

/** Of its tickets first. */
export type OrderStep =
  | TimelineStep['step']
  | 'copy-asked'
  | 'course-fired'
  | 'seen'
  | 'noticed'
  | 'paper-instead'
  | 'buzzed'
  | 'station-started'
  | 'station-ready'
  | 'ready'
  | 'picked-up'
  | 'recalled'
  | 'voided'
  | 'void-seen'
  | 'change-seen'
  | 'told-ready'
  | 'told-completed'

/** One moment of an order. */
export interface OrderMomentAnswer {
  at: string
  /** Since it was received. */
  afterMs: number
  step: OrderStep
  /** Printer, screen, station or course that it happened at; null: none. */
  where: string | null
  /** The ticket that it is about; null: the order as a whole. */
  ticketId: string | null
  attempt: number | null
  /** By what it was confirmed, why not, or why it was called off. */
  by: string | null
}

export interface OrderScreenAnswer {
  displayId: string
  name: string
  seenAt: string | null
  noticedAt: string | null
  /** Printed because the screen was silent. */
  paperAt: string | null
  voidSeenAt: string | null
}

/** @template Ticket a ticket with its history */
export interface OrderHistoryOf<Ticket> extends OrderAnswer {
  note: string | null
  allergens: string[]
  server: string | null
  guests: number | null
  voidReason: string | null
  lineList: OrderLineAnswer[]
  stations: { name: string; startedAt: string | null; readyAt: string | null }[]
  /** All courses but the first. */
  courses: { course: number; firedAt: string | null }[]
  screens: OrderScreenAnswer[]
  /** All of its tickets, also of copies and fired courses, in the order in which they came. */
  ticketList: Ticket[]
  timeline: OrderMomentAnswer[]
  /** What the relay has, from which webhooks are sent. `result`: of the tickets; null: none yet. It gets nothing about a test order. */
  relay: { result: 'waits' | 'told' | null; readyToldAt: string | null; completedToldAt: string | null }
}
