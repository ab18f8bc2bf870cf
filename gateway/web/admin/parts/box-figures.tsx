// The machine itself: free disk space, memory, temperature, wear, clock. Values that the machine does not provide are shown as unknown.
import type { BoxFigures } from '#gateway/control/answers.ts'
import { type Speech, useSpeech } from '#gateway/web/admin/i18n.tsx'
import { HOT_CELSIUS, LOW_DISK_BYTES, MEMORY_SHARE, WORN_PERCENT, WRONG_CLOCK_MS } from '#shared/health-limits.ts'
import { type Fact, FactList } from '#shared/ui/parts/fact-list.tsx'

/** That the clock was behind at the start. */
const MINUTE_MS = 60_000

export function BoxFiguresList({ figures }: { figures: BoxFigures }) {
  const speech = useSpeech()
  const facts = [
    diskFact(figures, speech),
    memoryFact(figures, speech),
    temperatureFact(figures, speech),
    wearFact(figures, speech),
    clockFact(figures, speech),
  ]
  return <FactList facts={facts} />
}

type Words = Pick<Speech, 't' | 'formats'>

function diskFact({ disk }: BoxFigures, { t, formats }: Words): Fact {
  const name = t.figures.disk
  if (disk === null) return { name, tone: 'idle', words: t.figures.notTold }
  const words = t.figures.free(formats.bytes(disk.freeBytes), formats.bytes(disk.totalBytes))
  if (disk.isFull) return { name, tone: 'bad', words }
  return { name, tone: disk.freeBytes < LOW_DISK_BYTES ? 'warn' : 'ok', words }
}

function memoryFact({ memory: { rssBytes, limitBytes } }: BoxFigures, { t, formats }: Words): Fact {
  const used = formats.bytes(rssBytes)
  return limitBytes === null
    ? { name: t.figures.memory, tone: 'ok', words: used }
    : {
        name: t.figures.memory,
        tone: rssBytes >= limitBytes * MEMORY_SHARE ? 'warn' : 'ok',
        words: t.figures.of(used, formats.bytes(limitBytes)),
      }
}

function temperatureFact({ temperatureCelsius }: BoxFigures, { t, formats }: Words): Fact {
  const name = t.figures.temperature
  if (temperatureCelsius === null) return { name, tone: 'idle', words: t.figures.notTold }
  return {
    name,
    tone: temperatureCelsius >= HOT_CELSIUS ? 'warn' : 'ok',
    words: `${formats.number(Math.round(temperatureCelsius))} °C`,
  }
}

function wearFact({ storageWearPercent }: BoxFigures, { t }: Words): Fact {
  const name = t.figures.wear
  if (storageWearPercent === null) return { name, tone: 'idle', words: t.figures.notToldCard }
  return {
    name,
    tone: storageWearPercent >= WORN_PERCENT ? 'warn' : 'ok',
    words: t.figures.worn(storageWearPercent),
  }
}

function clockFact({ clock: { offsetMs, behindLastRunMs } }: BoxFigures, { t, formats }: Words): Fact {
  const name = t.figures.clock
  if (offsetMs === null)
    return behindLastRunMs >= MINUTE_MS
      ? { name, tone: 'warn', words: t.figures.clockRestored(formats.duration(behindLastRunMs)) }
      : { name, tone: 'idle', words: t.figures.clockUnchecked }
  const apart = formats.duration(Math.abs(offsetMs))
  if (Math.abs(offsetMs) < WRONG_CLOCK_MS) return { name, tone: 'ok', words: t.figures.clockRight(apart) }
  return { name, tone: 'warn', words: offsetMs > 0 ? t.figures.clockBehind(apart) : t.figures.clockAhead(apart) }
}
