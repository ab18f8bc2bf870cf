// A mail as parts, and how these become plain text and HTML. Every value is escaped; there are no images and no tracking.
import { toIso } from '#shared/clock.ts'
import { languageFacts } from '#shared/languages.ts'
import { fromCents } from '#shared/money.ts'
import { withoutTurning } from '#shared/turning-marks.ts'

/** A paragraph, a code that is typed, a link, or facts one a line. */
export type Part =
  | string
  | { code: string }
  | { link: string; words: string }
  | { facts: readonly (readonly [string, string])[] }

export interface Letter {
  subject: string
  parts: readonly Part[]
}

/** What a mail server is given. */
export interface NoticeText {
  subject: string
  text: string
  html: string
}

const LONGEST_SUBJECT = 150
const LONGEST_VALUE = 300

/** @param footer names the sender */
export function written({ subject, parts }: Letter, footer: string, language: string): NoticeText {
  const all = [...parts, footer]
  return {
    subject: oneLine(subject, LONGEST_SUBJECT),
    text: `${all.map(plain).join('\n\n')}\n`,
    html: page(all.map(marked).join('\n'), language),
  }
}

/** As it signs its mail. */
export const PRODUCT = 'Ticketrail'

/** A name that somebody typed, as part of a sentence. */
export function nameIn(name: string): string {
  return oneLine(name, 60)
}

/** Of US dollars. @param cents null: by contract; then the text is `otherwise` */
export function dollarsIn(cents: number | null, otherwise: string): string {
  return cents === null ? otherwise : `$${fromCents(cents).toFixed(2)}`
}

/** No part when there is no link. */
export function linkIf(link: string | null, words: string): Part[] {
  return link === null ? [] : [{ link, words }]
}

/** What a partner may do from now on, as a fact; none when it may do nothing. @param words the name of the fact, and all */
export function scopesIn(
  deed: 'approved' | 'narrowed' | 'declined' | 'removed',
  scopes: readonly string[] | null,
  [name, all]: readonly [string, string],
): [string, string][] {
  return deed === 'declined' || deed === 'removed' ? [] : [[name, scopes?.join(', ') ?? all]]
}

/** Such as 2026-11-29 18:05 UTC. @param ms epoch ms */
export function minuteOf(ms: number): string {
  return `${toIso(ms).slice(0, 16).replace('T', ' ')} UTC`
}

/**
 * Text from outside on one line: a line break would begin a header in a subject and a sentence of ours in a body. What turns the direction of
 * writing is left out: it can make a line look like another.
 */
export function oneLine(value: string, longest = LONGEST_VALUE): string {
  const line = withoutTurning(value)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
  const letters = [...line]
  return letters.length <= longest ? line : `${letters.slice(0, longest - 1).join('')}…`
}

function plain(part: Part): string {
  if (typeof part === 'string') return oneLine(part, 2_000)
  if ('code' in part) return `    ${oneLine(part.code)}`
  if ('link' in part) return `${oneLine(part.words)}\n${oneLine(part.link, 2_000)}`
  return part.facts.map(([name, value]) => `${name}: ${oneLine(value)}`).join('\n')
}

function marked(part: Part): string {
  if (typeof part === 'string') return `<p>${escaped(oneLine(part, 2_000))}</p>`
  if ('code' in part)
    return `<p style="font-family: monospace; font-size: 1.6em; letter-spacing: 0.1em">${escaped(oneLine(part.code))}</p>`
  if ('link' in part) {
    const link = escaped(oneLine(part.link, 2_000))
    return `<p>${escaped(oneLine(part.words))}<br><a href="${link}">${link}</a></p>`
  }
  const lines = part.facts.map(([name, value]) => `${escaped(name)}: <strong>${escaped(oneLine(value))}</strong>`)
  return `<p>${lines.join('<br>')}</p>`
}

function page(body: string, language: string): string {
  const { id, direction } = languageFacts(language)
  return `<!doctype html>
<html lang="${id}" dir="${direction}">
<head><meta charset="utf-8"></head>
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em">
${body}
</body>
</html>
`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
