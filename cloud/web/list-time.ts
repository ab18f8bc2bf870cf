// A time as a list shows it: of today the clock alone, else with its day. Pure.
import type { Formats } from '#shared/ui/languages.ts'

/** @param today as `formats.date` writes it */
export function listTime(formats: Pick<Formats, 'date' | 'time' | 'dateTime'>, at: string, today: string): string {
  return formats.date(at) === today ? formats.time(at) : formats.dateTime(at)
}
