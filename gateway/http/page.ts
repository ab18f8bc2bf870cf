// The status page: what this box does, whether each printer works and what to do if not. All text is escaped; nothing is loaded from elsewhere.
import type { PrinterView } from '#gateway/queue/print-queue.ts'
import type { RecentTicket } from '#gateway/storage/history-store.ts'
import type { PrinterReason } from '#shared/print-job.ts'
import { isShownMarked, SETTLED_BEFORE } from '#shared/settled-before.ts'
import { charactersOf } from '#shared/tickets/stand-in.ts'
import type { LinkTrouble } from '#shared/wire/gateway-claim.ts'
import { type Html, html } from './html.ts'
import { type LinkView, RECENT_TICKETS, type StatusSource } from './status-view.ts'

interface Words {
  tone: 'ok' | 'warn' | 'bad'
  text: string
  /** What to do; empty when nothing is to be done. */
  hint: string
}

export function statusPage(source: StatusSource): string {
  const printers = source.printers()
  const { queued, held, unreported } = source.queue()
  const now = source.nowMs()
  const title = source.merchantName || 'Kitchen gateway'
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - Ticketrail gateway</title>
<link rel="stylesheet" href="/app.css">
<script src="/app.js" defer></script>
</head>
<body>
<main>
<header><h1>${title}</h1><p class="soft" id="freshness" role="status">${source.app.replace(/^ticketrail-gateway\//, 'Ticketrail gateway ')}</p></header>
<p class="soft">This box takes orders from the relay and prints them in the kitchen. What it has taken is on its disk: it prints without internet and after a power cut.</p>
${part('connection', 'Connection', linkCard(source.link(), source.wallMs()))}
${part('printers', 'Printers', printerCards(printers, source.wallMs()))}
${part('queue', 'Queue', html`<div class="figures">${figure(queued, 'waiting to print')}${figure(held, 'held for later')}${figure(unreported, 'results to send')}</div>`)}
${part('tickets', 'Last tickets', ticketList(source.recent(RECENT_TICKETS), now))}
</main>
</body>
</html>
`
  return page.text
}

/** A part of the page under its own heading, so that a screen reader can go from part to part. */
function part(id: string, heading: string, content: Html): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>
${content}</section>`
}

function linkCard(link: LinkView, nowMs: number): Html {
  const words = linkWords(link)
  return html`<section class="card"><div class="row"><h3>Relay</h3>${state(words)}</div>
<p class="soft">for ${duration(link.sinceMs, nowMs)}${link.detail === '' ? '' : ` - ${link.detail}`}</p>${todo(words)}</section>`
}

const TROUBLE_WORDS: Readonly<Record<LinkTrouble, Words>> = {
  refused: {
    tone: 'bad',
    text: 'The relay refuses this box',
    hint: 'No orders arrive. Unpair this box, then pair it with a new claim code. Tickets that are here still print.',
  },
  certificate: {
    tone: 'bad',
    text: 'The relay cannot prove who it is',
    hint: 'No orders arrive. Is the clock of this box right? If so, the address is wrong, or somebody stands in between.',
  },
}

function linkWords({ state, trouble }: LinkView): Words {
  if (state === 'connecting' && trouble) return TROUBLE_WORDS[trouble]
  switch (state) {
    case 'connected':
      return { tone: 'ok', text: 'Connected', hint: '' }
    case 'connecting':
      return {
        tone: 'warn',
        text: 'Not connected',
        hint: 'New orders arrive when the connection is back; it tries by itself. Check the internet if this lasts. Tickets that are here still print.',
      }
    case 'unpaired':
      return {
        tone: 'warn',
        text: 'Not paired',
        hint: 'This box belongs to no restaurant yet. Put the pairing file where GATEWAY_PAIRING_FILE says and start it again.',
      }
    case 'unusable':
      return {
        tone: 'bad',
        text: 'Pairing file unusable',
        hint: 'The file that GATEWAY_PAIRING_FILE names cannot be read. Pair this box again. Tickets that are here still print.',
      }
  }
}

function printerCards(printers: readonly PrinterView[], nowMs: number): Html {
  if (printers.length === 0) return noPrinter()
  const isOnly = printers.length === 1
  return html`<div class="grid">${printers.map((printer) => printerCard(printer, isOnly, nowMs))}</div>`
}

function printerCard(printer: PrinterView, isOnly: boolean, nowMs: number): Html {
  const words = printerWords(printer)
  return html`<article class="card"><div class="row"><h3>${printer.name}</h3>${state(words)}</div>
<p class="soft">${printer.host}:${printer.port} - ${role(printer, isOnly)}</p>
<p class="soft">for ${duration(printer.sinceMs, nowMs)}${countsOf(printer)}</p>${todo(words)}</article>`
}

function countsOf({ queued, parked, isAbsent }: PrinterView): string {
  const parts = [
    queued === 0 ? '' : `${queued} waiting`,
    parked === 0 ? '' : `${parked} to decide about`,
    isAbsent ? 'its tickets go to its backup' : '',
  ]
  return parts.flatMap((part) => (part === '' ? [] : [` - ${part}`])).join('')
}

/** Which items come out of it. */
function role({ stations, isDefault }: PrinterView, isOnly: boolean): string {
  if (isDefault && isOnly) return 'takes everything'
  const serves = stations.length === 0 ? [] : [`serves ${stations.join(', ')}`]
  const parts = isDefault ? [...serves, 'takes everything else'] : serves
  return parts.join('; ') || 'takes nothing: no station is set for it'
}

const REASON_WORDS: Readonly<Record<PrinterReason, string>> = {
  none: '',
  'connecting-to-device': 'nothing answers at its address',
  'timed-out': 'no answer in time',
  shutdown: 'the gateway is stopping',
  busy: 'held by another program',
  'media-empty': 'out of paper',
  'media-low': 'paper nearly out',
  'cover-open': 'cover open',
  'cutter-error': 'cutter jammed',
  'recoverable-error': 'error, waiting to recover',
  'unrecoverable-error': 'needs service',
  offline: 'says that it is offline',
  'not-responding': 'connected but silent',
  'another-printer': 'another printer is at its address',
}

/** A stored reason may be from an older version, and is shown unchanged. */
function reasonWords(reason: string): string {
  return reason in REASON_WORDS ? REASON_WORDS[reason as PrinterReason] : reason.replaceAll('-', ' ')
}

function printerWords({ state, reasons, hint, isPaused }: PrinterView): Words {
  if (isPaused) return { tone: 'warn', text: 'Paused', hint: 'It prints nothing until somebody resumes it.' }
  const named = reasons.filter((reason) => reason !== 'none').map(reasonWords)
  const why = named.length === 0 ? '' : `: ${named.join(', ')}`
  if (state === 'online')
    return { tone: named.length === 0 ? 'ok' : 'warn', text: `Ready${why}`, hint: named.length === 0 ? '' : hint }
  if (state === 'offline') return { tone: 'bad', text: `Not printing${why}`, hint }
  return { tone: 'warn', text: 'Not reached yet', hint }
}

function noPrinter(): Html {
  return html`<section class="card"><div class="row"><h3>No printer</h3>${state({ tone: 'bad', text: 'Cannot print', hint: '' })}</div>
<p class="do">Name one in GATEWAY_PRINTERS, such as grill=192.168.1.50. Tickets that come before are kept and print then.</p></section>`
}

function figure(count: number, label: string): Html {
  return html`<div class="card figure"><b>${count}</b><span class="soft">${label}</span></div>`
}

function ticketList(tickets: readonly RecentTicket[], nowMs: number): Html {
  if (tickets.length === 0) return html`<p class="soft">None yet.</p>`
  return html`<ol>${tickets.map((ticket) => ticketItem(ticket, nowMs))}</ol>`
}

function ticketItem(ticket: RecentTicket, nowMs: number): Html {
  const words = ticketWords(ticket, nowMs)
  const name = nameOf(ticket)
  const facts = [
    ticket.orderId === ticket.orderNumber ? '' : ticket.orderId,
    ticket.printerName === '' ? 'no printer yet' : ticket.printerName,
    `received ${age(ticket.receivedAtMs, nowMs)}`,
    ticket.attempts > 1 ? `attempt ${ticket.attempts}` : '',
    isShownMarked(ticket) ? 'marked POSSIBLE DUPLICATE' : '',
    ticket.unprintable ? `${charactersOf(ticket.unprintable)} could not be printed` : '',
    words.hint,
  ]
  return html`<li><span>${name}</span>${state(words)}<span class="soft">${facts.filter((fact) => fact !== '').join(' - ')}</span></li>`
}

/** The order's number as on paper, or the kind of a job that is not an order. */
function nameOf({ kind, orderNumber, ticketId }: RecentTicket): string {
  const ofNone = kind === 'order' || kind === 'void' || kind === 'invalid' ? ticketId : kind
  const name = orderNumber === '' ? ofNone : `#${orderNumber}`
  if (kind === 'void') return `VOID ${name}`
  return kind === 'reprint' ? `REPRINT ${name}` : name
}

function ticketWords(ticket: RecentTicket, nowMs: number): Words {
  if (ticket.reason === SETTLED_BEFORE)
    return {
      tone: 'ok',
      text: 'Settled before',
      hint: 'the relay already had its result, so it was not printed from this copy of the disk',
    }
  switch (ticket.state) {
    case 'printed':
      return ticket.confirmation === 'confirmed'
        ? { tone: 'ok', text: 'Printed, confirmed', hint: `by ${ticket.method}` }
        : { tone: 'ok', text: 'Sent, not verified', hint: 'this printer gives no proof' }
    case 'held':
      return {
        tone: 'warn',
        text: 'Held',
        hint: ticket.notBeforeMs === null ? '' : `prints ${age(ticket.notBeforeMs, nowMs)}`,
      }
    case 'queued':
      return { tone: 'warn', text: 'Waiting', hint: '' }
    case 'sending':
      return { tone: 'warn', text: 'Printing', hint: '' }
    case 'parked':
      return ticket.reason === 'stale'
        ? { tone: 'warn', text: 'Waits for you', hint: 'it was too old after an outage: print it or dismiss it' }
        : {
            tone: 'bad',
            text: 'Waits for you',
            hint: 'it may be on paper or not: look, then print it or say that it is there',
          }
    case 'cancelled':
      return { tone: 'warn', text: 'Cancelled', hint: ticket.reason ?? '' }
    case 'uncertain':
      return {
        tone: 'bad',
        text: 'Look at the printer',
        hint: `it may be on paper or not (${reasonWords(ticket.reason ?? 'no proof')})`,
      }
    default:
      return { tone: 'bad', text: 'Failed', hint: ticket.reason ?? '' }
  }
}

function state({ tone, text }: Words): Html {
  return html`<span class="state ${tone}">${text}</span>`
}

function todo({ hint }: Words): Html {
  return hint === '' ? html`` : html`<p class="do">${hint}</p>`
}

/** How long ago, or in how long, in words. */
function age(atMs: number, nowMs: number): string {
  return atMs <= nowMs ? `${duration(atMs, nowMs)} ago` : `in ${duration(atMs, nowMs)}`
}

/** Time between two instants in one unit: `45 s`, `3 min`, `2 h`, `5 days`. */
function duration(atMs: number, nowMs: number): string {
  const seconds = Math.round(Math.abs(nowMs - atMs) / 1_000)
  if (seconds < 90) return `${seconds} s`
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`
  return `${Math.round(seconds / 86_400)} days`
}
