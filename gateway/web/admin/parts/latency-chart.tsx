// From order to paper over the last hours, as the box measured it: half of the tickets, and 19 of 20.
import type { LatencyAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { latencyBars } from './latency-bars.ts'

/** Units of the drawing: it is stretched to the width of its place. */
const STEP = 10
const BAR = 7
const HEIGHT = 100

export function LatencyChart({ latency }: { latency: LatencyAnswer }) {
  const { t, formats } = useSpeech()
  const { tickets, p50Ms, p95Ms, hours, slices } = latency
  if (p50Ms === null || p95Ms === null) return <p className="soft">{t.figures.nothingPrinted(hours)}</p>
  const { topMs, bars } = latencyBars(latency)
  const summary = t.figures.latencySummary(formats.duration(p50Ms), formats.duration(p95Ms), tickets)
  return (
    <figure className="chart">
      <figcaption>{summary}</figcaption>
      <div className="plot">
        <span className="soft number">{formats.duration(topMs)}</span>
        <svg
          viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${t.figures.latency}: ${summary}`}
        >
          <path className="grid" d={`M0 0.5H${bars.length * STEP}M0 50H${bars.length * STEP}`} />
          {bars.map(
            (bar, index) =>
              bar && (
                <g key={bar.from}>
                  <title>
                    {`${formats.time(bar.from)}: ${t.figures.latencySummary(formats.duration(bar.p50Ms), formats.duration(bar.p95Ms), bar.tickets)}`}
                  </title>
                  {(['p95', 'p50'] as const).map((share) => (
                    <rect
                      key={share}
                      className={share}
                      x={index * STEP + (STEP - BAR) / 2}
                      y={HEIGHT - bar[`${share}Height`]}
                      width={BAR}
                      height={bar[`${share}Height`]}
                    />
                  ))}
                </g>
              ),
          )}
        </svg>
        <span className="soft number">0</span>
      </div>
      <p className="hours soft number">
        <span>{formats.time(slices[0]?.from ?? '').slice(0, 5)}</span>
        <span>{formats.time(slices.at(-1)?.from ?? '').slice(0, 5)}</span>
      </p>
      <p className="key soft">
        <span>
          <span className="swatch p50" aria-hidden="true" /> {t.figures.half}
        </span>
        <span>
          <span className="swatch p95" aria-hidden="true" /> {t.figures.nearlyAll}
        </span>
      </p>
    </figure>
  )
}
