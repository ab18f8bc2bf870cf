// Words about the box itself, in German.
import { pluralOf } from '#shared/ui/languages.ts'
import type { enFigures } from './en-figures.ts'

const plural = pluralOf('de')

export const deFigures = {
  latency: 'Von der Bestellung zum Bon',
  lastHours: 'Zeitraum',
  hours: (n: number) => plural(n, { one: 'Letzte Stunde', other: 'Letzte # Stunden' }),
  nothingPrinted: (n: number) =>
    plural(n, {
      one: 'In der letzten Stunde wurde keine Bestellung gedruckt.',
      other: 'In den letzten # Stunden wurde keine Bestellung gedruckt.',
    }),
  latencySummary: (half: string, nearlyAll: string, tickets: number) =>
    `Die Hälfte in ${half}, 19 von 20 in ${nearlyAll} (${plural(tickets, { one: '# Bon', other: '# Bons' })})`,
  half: 'die Hälfte',
  nearlyAll: '19 von 20',
  box: 'Die Box',
  disk: 'Speicherplatz',
  free: (free: string, total: string) => `${free} von ${total} frei`,
  memory: 'Arbeitsspeicher',
  of: (used: string, limit: string) => `${used} von ${limit}`,
  temperature: 'Temperatur',
  wear: 'Speicherkarte',
  worn: (percent: number) => `bis zu ${percent} % verbraucht`,
  clock: 'Uhr',
  clockRight: (apart: string) => `richtig (${apart} Abstand zum Server)`,
  clockBehind: (apart: string) => `geht gegenüber dem Server ${apart} nach`,
  clockAhead: (apart: string) => `geht gegenüber dem Server ${apart} vor`,
  clockRestored: (apart: string) => `ging beim Start ${apart} nach: läuft ab der letzten bekannten Zeit weiter`,
  clockUnchecked: 'nicht verglichen: Der Server hat noch nicht geantwortet',
  notTold: 'von diesem Gerät nicht gemeldet',
  notToldCard: 'Verschleiß von dieser Karte nicht gemeldet',
} satisfies typeof enFigures
