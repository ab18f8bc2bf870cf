// Lines over time: with the mouse, with the arrow keys, and as a table of the same numbers.

import { useComputedColorScheme } from '@mantine/core'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useSpeech } from '#cloud/web/speech.tsx'
import type { DrawnChart } from './chart-canvas.ts'
import { ScrollFrame } from './scroll-frame.tsx'
import './series-chart.css'

export interface ChartLine {
  key: string
  label: string
  /** One for each time; null: nothing is known. */
  values: readonly (number | null)[]
  tone: 'main' | 'second' | 'limit'
  isFilled?: boolean
}

interface SeriesChartProps {
  /** What it shows, in a few words. */
  label: string
  /** Epoch ms, rising. */
  times: readonly number[]
  lines: readonly ChartLine[]
  valueWords: (value: number) => string
  /** A point's time in full, and short below the axis. */
  timeWords: (ms: number) => string
  axisWords: (ms: number) => string
  /** Value labels of the axis, which has little room; default: the full words. */
  axisValueWords?: (value: number) => string
  /** The point that is shown first; default: the last. */
  first?: number
}

export function SeriesChart(props: SeriesChartProps) {
  const { label, times, lines, valueWords, timeWords, first = props.times.length - 1 } = props
  const { chart: t } = useSpeech().t
  const hint = useId()
  const [index, setIndex] = useState(first)
  const shown = Math.min(Math.max(0, index), times.length - 1)
  const at = times[shown]
  if (at === undefined) return null
  const said = lines.flatMap(({ label, values }) => {
    const value = values[shown] ?? null
    return value === null ? [] : [`${label}: ${valueWords(value)}`]
  })
  const move = (event: KeyboardEvent) => {
    const to = STEPS[event.key]?.(shown, times.length)
    if (to === undefined) return
    event.preventDefault()
    setIndex(Math.min(Math.max(0, to), times.length - 1))
  }
  return (
    <figure className="series-chart">
      <div
        className="chart-field"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-describedby={hint}
        aria-valuemin={0}
        aria-valuemax={times.length - 1}
        aria-valuenow={shown}
        aria-valuetext={`${timeWords(at)}. ${said.join(', ')}`}
        onKeyDown={move}
      >
        <Canvas {...props} shown={shown} hovered={(point) => setIndex(point ?? first)} />
      </div>
      <p id={hint} className="chart-hint soft">
        {t.keys}
      </p>
      <figcaption>
        <strong>{timeWords(at)}</strong>
        <ul className="chart-legend">
          {lines.map(({ key, label, tone, values }) => (
            <li key={key}>
              <span className={`chart-mark ${tone}`} aria-hidden="true" />
              {label} <b className="number">{words(values[shown] ?? null, valueWords)}</b>
            </li>
          ))}
        </ul>
      </figcaption>
      <details className="chart-table">
        <summary>{t.table}</summary>
        <ScrollFrame label={t.table}>
          <table aria-label={label}>
            <thead>
              <tr>
                <th scope="col">{t.time}</th>
                {lines.map(({ key, label }) => (
                  <th key={key} scope="col" className="number end">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {times.map((ms, row) => (
                <tr key={ms}>
                  <th scope="row">{timeWords(ms)}</th>
                  {lines.map(({ key, values }) => (
                    <td key={key} className="number end">
                      {words(values[row] ?? null, valueWords)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollFrame>
      </details>
    </figure>
  )
}

const STEPS: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowLeft: (index) => index - 1,
  ArrowDown: (index) => index - 1,
  ArrowRight: (index) => index + 1,
  ArrowUp: (index) => index + 1,
  PageDown: (index, count) => index - Math.ceil(count / 10),
  PageUp: (index, count) => index + Math.ceil(count / 10),
  Home: () => 0,
  End: (_index, count) => count - 1,
}

function words(value: number | null, valueWords: (value: number) => string): string {
  return value === null ? '–' : valueWords(value)
}

interface CanvasProps extends SeriesChartProps {
  shown: number
  hovered: (index: number | null) => void
}

const COLOURS = { main: '--ui-accent', second: '--ui-soft', limit: '--ui-warn' } as const

/** The picture alone: the text beside it has the same content. */
function Canvas({ times, lines, valueWords, axisWords, axisValueWords = valueWords, shown, hovered }: CanvasProps) {
  const field = useRef<HTMLDivElement>(null)
  const drawn = useRef<DrawnChart | null>(null)
  const now = useRef({ shown, hovered, axisValueWords, axisWords })
  now.current = { shown, hovered, axisValueWords, axisWords }
  const scheme = useComputedColorScheme()
  const numbers = JSON.stringify([times, lines.map(({ values, tone, isFilled }) => [values, tone, isFilled])])
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn anew for other numbers and colours, not for each drawing of the page
  useEffect(() => {
    const at = field.current
    if (at === null) return
    let isGone = false
    const colour = (name: string) => getComputedStyle(at).getPropertyValue(name).trim()
    const watch = new ResizeObserver(() => drawn.current?.resize(at.clientWidth))
    void import('./chart-canvas.ts').then(({ drawChart }) => {
      if (isGone) return
      drawn.current = drawChart(
        at,
        {
          times,
          lines: lines.map(({ values, tone, isFilled = false }) => ({
            ...{ values, colour: colour(COLOURS[tone]), isDashed: tone !== 'main', isFilled },
          })),
          timeWords: (ms) => now.current.axisWords(ms),
          valueWords: (value) => now.current.axisValueWords(value),
          ink: colour('--ui-soft'),
          grid: colour('--ui-line'),
        },
        (index) => now.current.hovered(index),
      )
      drawn.current.point(now.current.shown)
      watch.observe(at)
    })
    return () => {
      isGone = true
      watch.disconnect()
      drawn.current?.remove()
      drawn.current = null
    }
  }, [numbers, scheme])
  useEffect(() => drawn.current?.point(shown), [shown])
  return <div className="chart-canvas" ref={field} aria-hidden="true" />
}
