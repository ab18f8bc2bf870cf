// The health of the box in one line: all is well only if each part has reported within its time; the short form is in the header of every page.
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import type { Verdict } from '#shared/health.ts'
import { pluralOf } from '#shared/ui/languages.ts'
import { Mark, type Tone } from '#shared/ui/parts/mark.tsx'
import type { Words } from './finding-words.ts'

const TONES: Readonly<Record<Verdict, Tone>> = { well: 'ok', unheard: 'idle', warning: 'warn', critical: 'bad' }

/** Null: the box has not reported it yet. */
export function useVerdict(): { verdict: Verdict; words: string; count: number; advice: number } | null {
  const speech = useSpeech()
  const { topics } = useLive()
  const health = topics.health['box']
  if (!health) return null
  const severities = Object.values(topics.findings).map(({ severity }) => severity)
  const { verdict, unheard } = health
  const advice = severities.filter((severity) => severity === 'advice').length
  const counts = { count: severities.length - advice, advice }
  if (verdict === 'well') return { verdict, ...counts, words: speech.t.health.verdicts.well }
  if (verdict === 'unheard') return { verdict, ...counts, words: unheardWords(unheard, speech) }
  return { verdict, ...counts, words: countWords(severities, speech) }
}

function countWords(
  severities: readonly ('critical' | 'warning' | 'advice')[],
  { t, formats, language }: Words,
): string {
  const plural = pluralOf(language)
  const counts = (['critical', 'warning'] as const).flatMap((severity) => {
    const count = severities.filter((one) => one === severity).length
    return count === 0 ? [] : [plural(count, t.health.verdicts[severity])]
  })
  return formats.list(counts)
}

function unheardWords(unheard: readonly { part: string; name: string }[], { t, formats }: Words): string {
  const parts: Readonly<Record<string, string>> = t.health.parts
  const names = unheard.map(({ part, name }) => name || (parts[part] ?? part))
  return t.health.verdicts.unheard.replace('{parts}', () => formats.list(names))
}

/** @param linksAdvice advice is not shown on this page */
export function HealthVerdict({ linksAdvice = false }: { linksAdvice?: boolean }) {
  const { t, language } = useSpeech()
  const verdict = useVerdict()
  if (!verdict) return null
  return (
    <p className={`all-well ${verdict.verdict}`} role="status">
      <Mark tone={TONES[verdict.verdict]}>
        <bdi>{verdict.words}</bdi>
      </Mark>
      {linksAdvice && verdict.advice > 0 && (
        <Anchor component={Link} to="/repairs">
          {pluralOf(language)(verdict.advice, t.health.verdicts.advice)}
        </Anchor>
      )}
    </p>
  )
}

/** In the head of every page: nothing while all is well, so that it is seen when it is not. */
export function HealthChip() {
  const { t } = useSpeech()
  const verdict = useVerdict()
  if (!verdict || verdict.verdict === 'well' || verdict.verdict === 'unheard') return null
  return (
    <Anchor component={Link} to="/repairs" className="health-chip">
      <span className="hidden">{t.health.overview.chip}: </span>
      <Mark tone={TONES[verdict.verdict]}>
        <span className="long">{verdict.words}</span>
        <span className="short" aria-hidden="true">
          {verdict.count}
        </span>
      </Mark>
    </Anchor>
  )
}
