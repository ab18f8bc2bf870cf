// Words about the box itself, in English.
import { pluralOf } from '#shared/ui/languages.ts'

const plural = pluralOf('en')

export const enFigures = {
  latency: 'From order to paper',
  lastHours: 'Time',
  hours: (n: number) => plural(n, { one: 'Last hour', other: 'Last # hours' }),
  nothingPrinted: (n: number) =>
    plural(n, {
      one: 'No order was printed within the last hour.',
      other: 'No order was printed within the last # hours.',
    }),
  latencySummary: (half: string, nearlyAll: string, tickets: number) =>
    `Half within ${half}, 19 of 20 within ${nearlyAll} (${plural(tickets, { one: '# ticket', other: '# tickets' })})`,
  half: 'half',
  nearlyAll: '19 of 20',
  box: 'The box',
  disk: 'Disk',
  free: (free: string, total: string) => `${free} of ${total} free`,
  memory: 'Memory',
  of: (used: string, limit: string) => `${used} of ${limit}`,
  temperature: 'Temperature',
  wear: 'Card',
  worn: (percent: number) => `up to ${percent} % of its life used`,
  clock: 'Clock',
  clockRight: (apart: string) => `right (${apart} from the relay)`,
  clockBehind: (apart: string) => `${apart} behind the relay`,
  clockAhead: (apart: string) => `${apart} ahead of the relay`,
  clockRestored: (apart: string) => `was ${apart} behind at the start: goes on from the last known time`,
  clockUnchecked: 'not compared: the relay has not answered yet',
  notTold: 'this machine does not report it',
  notToldCard: 'this card does not report its wear',
}
