// Opening hours of each weekday, and days that differ.
import { Button } from '@mantine/core'
import { setupWords } from '#cloud/web/messages/receptionist-setup.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import { TextField } from '#shared/ui/parts/fields.tsx'
import { Part } from '#shared/ui/parts/page.tsx'
import type { SectionProps } from './setup-draft.ts'
import { copiedToAll, DAYS, isOverMidnight, MOST_SPANS, type OpenFromTo, withSpan } from './setup-draft.ts'

const MOST_HOLIDAYS = 60

export function SetupHours({ draft: { hours }, set }: SectionProps) {
  const t = usePageWords(setupWords)
  return (
    <Part title={t.hours}>
      <p className="soft">{t.hoursHint}</p>
      <ul className="card week">
        {DAYS.map((day) => (
          <li key={day}>
            <strong>{t.days[day]}</strong>
            <Spans
              name={`profile.hours.${day}`}
              label={t.days[day]}
              spans={hours[day]}
              set={(spans) => set({ hours: { ...hours, [day]: spans } })}
              more={
                hours[day].length > 0 && (
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    aria-label={t.copyOf(t.days[day])}
                    onClick={() => set({ hours: copiedToAll(hours, day) })}
                  >
                    {t.copy}
                  </Button>
                )
              }
            />
          </li>
        ))}
      </ul>
    </Part>
  )
}

interface SpansProps {
  /** Of the relay. */
  name: string
  /** Which day it is. */
  label: string
  spans: readonly OpenFromTo[]
  set: (spans: OpenFromTo[]) => void
  more?: React.ReactNode
}

function Spans({ name, label, spans, set, more }: SpansProps) {
  const t = usePageWords(setupWords)
  const change = (at: number, part: Partial<OpenFromTo>) =>
    set(spans.map((span, index) => (index === at ? { ...span, ...part } : span)))
  return (
    <div className="spans">
      {spans.length === 0 && <span className="soft">{t.closed}</span>}
      {spans.map((span, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a span has nothing else that stays while it is typed
        <div key={at} className="span">
          <TimeField
            name={`${name}.${at}.from`}
            label={t.from(label)}
            value={span.from}
            set={(from) => change(at, { from })}
          />
          <span aria-hidden="true">{t.until}</span>
          <TimeField name={`${name}.${at}.to`} label={t.to(label)} value={span.to} set={(to) => change(at, { to })} />
          {isOverMidnight(span) && <span className="soft">{t.nextDay}</span>}
          <Button
            variant="subtle"
            size="compact-sm"
            aria-label={t.removeSpanOf(label, span.from)}
            onClick={() => set(spans.filter((_, index) => index !== at))}
          >
            {t.remove}
          </Button>
        </div>
      ))}
      <div className="row-actions">
        {spans.length < MOST_SPANS && (
          <Button
            variant="subtle"
            size="compact-sm"
            aria-label={t.addSpanOf(label)}
            onClick={() => set(withSpan(spans))}
          >
            {t.addSpan}
          </Button>
        )}
        {more}
      </div>
    </div>
  )
}

function TimeField({
  label,
  value,
  ...field
}: {
  name: string
  label: string
  value: string
  set: (to: string) => void
}) {
  // A browser's clock has no 24:00: as the end of a span 00:00 means the same.
  return <TextField type="time" aria-label={label} required value={value === '24:00' ? '00:00' : value} {...field} />
}

export function SetupHolidays({ draft: { holidays }, set }: SectionProps) {
  const t = usePageWords(setupWords)
  const change = (at: number, part: Partial<(typeof holidays)[number]>) =>
    set({ holidays: holidays.map((holiday, index) => (index === at ? { ...holiday, ...part } : holiday)) })
  return (
    <Part title={t.holidays}>
      <p className="soft">{t.holidaysHint}</p>
      {holidays.length > 0 && (
        <ul className="card week">
          {holidays.map((holiday, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: day and name change while they are typed
            <li key={at}>
              <div className="holiday-head">
                <TextField
                  name={`profile.holidays.${at}.day`}
                  type="date"
                  label={t.holidayDay}
                  required
                  value={holiday.day}
                  set={(day) => change(at, { day })}
                />
                <TextField
                  name={`profile.holidays.${at}.name`}
                  label={t.holidayName}
                  required
                  maxLength={60}
                  value={holiday.name}
                  set={(name) => change(at, { name })}
                />
                <Button
                  variant="subtle"
                  size="compact-sm"
                  aria-label={t.removeHoliday(holiday.name)}
                  onClick={() => set({ holidays: holidays.filter((_, index) => index !== at) })}
                >
                  {t.remove}
                </Button>
              </div>
              <Spans
                name={`profile.holidays.${at}.open`}
                label={holiday.name || t.holidays}
                spans={holiday.open}
                set={(open) => change(at, { open })}
              />
            </li>
          ))}
        </ul>
      )}
      {holidays.length < MOST_HOLIDAYS && (
        <p>
          <Button
            variant="default"
            size="compact-md"
            onClick={() => set({ holidays: [...holidays, { day: '', name: '', open: [] }] })}
          >
            {t.addHoliday}
          </Button>
        </p>
      )}
    </Part>
  )
}
