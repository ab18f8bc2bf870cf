// Places by hours of the day: in each cell the time in words, its class in a word too, and a colour that only repeats it.

import type { PlaceFigure } from '#cloud/control/slice-list.ts'
import { reliabilityWords } from '#cloud/web/messages/reliability.ts'
import { ScrollFrame } from '#cloud/web/parts/scroll-frame.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { SPEED_MS, SPEEDS, type Speed, speedOf } from './speed.ts'

export function HourMap({ places }: { places: readonly PlaceFigure[] }) {
  const t = usePageWords(reliabilityWords)
  const { formats } = useSpeech()
  const hours = [...Array(24).keys()].filter((hour) => places.some(({ hours }) => (hours[hour]?.count ?? 0) > 0))
  const limits: Readonly<Record<Speed, string>> = {
    fast: t.upTo(formats.duration(SPEED_MS.fast)),
    good: t.upTo(formats.duration(SPEED_MS.good)),
    slow: t.upTo(formats.duration(SPEED_MS.slow)),
    late: t.over(formats.duration(SPEED_MS.slow)),
    few: '',
  }
  return (
    <>
      <ul className="speed-legend" aria-label={t.legend}>
        {SPEEDS.map((speed) => (
          <li key={speed}>
            <span className={`speed ${speed}`}>{t.speeds[speed]}</span> {limits[speed]}
          </li>
        ))}
      </ul>
      <ScrollFrame label={t.map}>
        <table className="hour-map" aria-label={t.map}>
          <thead>
            <tr>
              <th scope="col">{t.place}</th>
              {hours.map((hour) => (
                <th key={hour} scope="col" className="number">
                  {String(hour).padStart(2, '0')}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {places.map((place) => (
              <tr key={place.locationId}>
                <th scope="row">
                  <bdi>{place.merchantName}</bdi> <bdi className="soft">{place.name}</bdi>
                </th>
                {hours.map((hour) => (
                  <HourCell key={hour} place={place} hour={hour} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollFrame>
    </>
  )
}

function HourCell({ place, hour }: { place: PlaceFigure; hour: number }) {
  const t = usePageWords(reliabilityWords)
  const { formats } = useSpeech()
  const figure = place.hours[hour]
  const speed = figure === undefined ? null : speedOf(figure)
  if (figure === undefined || speed === null) return <td />
  return (
    <td className={`speed ${speed}`} title={t.orders(formats.number(figure.count))}>
      {figure.p95Ms !== null && <span className="number">{formats.duration(figure.p95Ms)}</span>}
      <small>{t.speeds[speed]}</small>
    </td>
  )
}
