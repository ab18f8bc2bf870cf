// The public status page and its feed, as text.
import type { StatusFigure, StatusOfStage } from '#cloud/control/status.ts'
import { fromIso, toIso } from '#shared/clock.ts'
import { escapeHtml } from './openapi/html.ts'
import { framed } from './openapi/page-frame.ts'
import { STATUS_WORDS, type StatusLanguage, type StatusWords } from './status-words.ts'

const NAMES: Readonly<Record<StatusLanguage, string>> = { en: 'English', es: 'Español', 'zh-Hans': '简体中文' }

export function statusPage(
  stages: readonly StatusOfStage[],
  { language, nowMs }: { language: StatusLanguage; nowMs: number },
): string {
  const t = STATUS_WORDS[language]
  const languages = Object.entries(NAMES)
    .map(([id, name]) => `<li><a href="/status?lang=${id}" lang="${id}" hreflang="${id}">${name}</a></li>`)
    .join('')
  const parts = stages.map((stage) => stageHtml(stage, t, language)).join('')
  return framed({
    title: `${t.title} - Ticketrail`,
    lang: language,
    words: t,
    head: `<link rel="alternate" type="application/rss+xml" href="/status.rss?lang=${language}">`,
    list: `<ul>${languages}</ul>`,
    main: `<h1>${escapeHtml(t.title)}</h1><p><strong>● ${escapeHtml(t.answers)}</strong> <time>${escapeHtml(toIso(nowMs).slice(0, 16))}Z</time></p>
<p>${escapeHtml(t.intro)}</p>${parts}<p><a href="/status.rss?lang=${language}">${escapeHtml(t.feed)}</a></p>`,
  })
}

function stageHtml(stage: StatusOfStage, t: StatusWords, language: StatusLanguage): string {
  const { target, count, days } = stage
  const words = formats(language)
  const facts =
    stage.reached === null
      ? `<p>${escapeHtml(t.few)}</p>`
      : `<ul class="facts"><li>${mark(stage)} ${escapeHtml((stage.isMet ? t.met : t.missed)(words.share(stage.reached)))}</li>
<li>${escapeHtml(t.half)} ${words.time(stage.p50Ms ?? 0)}</li><li>${escapeHtml(t.most)} ${words.time(stage.p95Ms ?? 0)}</li>
<li>${escapeHtml(t.counted)} ${words.number(count)}</li></ul>`
  const rows = days
    .toReversed()
    .filter((day) => day.count > 0)
    .map(
      (day) =>
        `<tr><th scope="row">${day.day}</th><td>${words.number(day.count)}</td><td>${day.reached === null ? '–' : words.share(day.reached)}</td><td>${mark(day)} ${escapeHtml(dayWords(day, t))}</td></tr>`,
    )
    .join('')
  const table =
    rows === ''
      ? ''
      : `<details><summary>${escapeHtml(t.days)}</summary><table><thead><tr><th scope="col">${escapeHtml(t.day)}</th><th scope="col">${escapeHtml(t.counted)}</th>
<th scope="col">${escapeHtml(t.share)}</th><th scope="col">${escapeHtml(t.state)}</th></tr></thead><tbody>${rows}</tbody></table></details>`
  return `<section class="card"><h2>${escapeHtml(t.stages[stage.stage])}</h2>
<p>${escapeHtml(t.target(words.share(target.share), words.time(target.ms)))}</p>${facts}${table}</section>`
}

/** A shape in addition to each word: never a colour alone. */
function mark({ isMet }: StatusFigure): string {
  return isMet === null ? '○' : isMet ? '●' : '■'
}

function dayWords({ isMet }: StatusFigure, t: StatusWords): string {
  if (isMet === null) return t.dayFew
  return isMet ? t.dayMet : t.dayMissed
}

function formats(language: StatusLanguage) {
  const number = new Intl.NumberFormat(language)
  // Cut off, not rounded: 98.96 % is not 99 %.
  const cut = (value: number) => Math.floor(value * 10_000) / 10_000
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 })
  return {
    number: (value: number) => number.format(value),
    share: (value: number) => percent.format(cut(value)),
    time: (ms: number) => (ms < 1_000 ? `${number.format(ms)} ms` : `${number.format(Math.round(ms / 100) / 10)} s`),
  }
}

/** Each day that missed a target is an item that stays the same. */
export function statusFeed(
  stages: readonly StatusOfStage[],
  { language, base }: { language: StatusLanguage; base: string },
): string {
  const t = STATUS_WORDS[language]
  const { share } = formats(language)
  const missed = stages.flatMap(({ stage, days }) =>
    // Today may still meet it.
    days
      .slice(0, -1)
      .filter(({ isMet }) => isMet === false)
      .map((day) => ({ ...day, stage })),
  )
  missed.sort((a, b) => (a.day < b.day ? 1 : -1))
  const items = missed
    .map(
      ({ day, stage, reached }) =>
        `<item><title>${escapeHtml(t.missedDay(t.stages[stage], day))}</title><description>${escapeHtml(t.missed(share(reached ?? 0)))}</description>
<link>${escapeHtml(base)}/status</link><guid isPermaLink="false">${day} ${stage}</guid><pubDate>${rssDate(day)}</pubDate></item>`,
    )
    .join('')
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel><title>Ticketrail: ${escapeHtml(t.title)}</title><link>${escapeHtml(base)}/status</link><description>${escapeHtml(t.intro)}</description><language>${language}</language>${items}</channel></rss>
`
}

const rssDay = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: '2-digit',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** The day's end: `Fri, 20 Nov 2026 23:59:59 GMT`. */
function rssDate(day: string): string {
  return `${rssDay.format(fromIso(`${day}T00:00:00.000Z`) ?? 0)} 23:59:59 GMT`
}
