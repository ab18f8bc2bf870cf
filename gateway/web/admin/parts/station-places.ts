// Where the lines of a station come out, as the cells of the table show it, and what a tick changes. Pure.
import type { StationAnswer, StationScreen, StationsAnswer } from '#gateway/control/station-answers.ts'

/** `rule`: a rule with further conditions or for more than this station sends it there. `rest`: it comes out there because nothing else prints it. */
export type PaperCell = 'on' | 'off' | 'rule' | 'rest' | 'passed-over'
export type ScreenCell = 'on' | 'off' | 'all'

export function paperCell({ paper, passedOver }: StationAnswer, printerId: string): PaperCell {
  const by = paper.find((one) => one.printerId === printerId)?.by
  if (by === 'station' || by === 'also') return 'on'
  if (by === 'rule') return 'rule'
  if (passedOver.includes(printerId)) return 'passed-over'
  return by === 'default' ? 'rest' : 'off'
}

export function screenCell({ screens }: StationAnswer, { displayId, isExpo }: StationScreen): ScreenCell {
  if (isExpo) return 'all'
  return screens.some((one) => one.displayId === displayId) ? 'on' : 'off'
}

/** The printers of a station after a tick, the one that serves it first: it goes on to serve it while it is ticked. */
export function printersAfter(station: StationAnswer, printerId: string, isOn: boolean): string[] {
  const server = station.paper.find(({ by }) => by === 'station')
  const also = station.paper.filter(({ by }) => by === 'also')
  const before = [...(server ? [server] : []), ...also].map((one) => one.printerId)
  const others = before.filter((id) => id !== printerId)
  return isOn ? [...others, printerId] : others
}

export function displaysAfter(station: StationAnswer, displayId: string, isOn: boolean): string[] {
  const others = station.screens.filter(({ by }) => by === 'station').map((one) => one.displayId)
  return isOn ? [...others, displayId] : others.filter((id) => id !== displayId)
}

/** The stations of a screen that shows everything, when it is to show some only: all that there are, so that nothing is lost by that. */
export function stationsOfFormerExpo({ stations }: StationsAnswer): string[] {
  return stations.map(({ name }) => name)
}

/** Nothing but its name on the box keeps it. */
export function isUnticked({ lines, paper, screens, rules }: StationAnswer): boolean {
  const isOwn = [...paper, ...screens].some(({ by }) => by === 'station' || by === 'also')
  return !isOwn && lines === 0 && rules.length === 0
}

/** Each station has its place, and each printer and screen has something to do. */
export function isAllPlaced({
  stations,
  printers,
  displays,
}: Pick<StationsAnswer, 'stations' | 'printers' | 'displays'>): boolean {
  return (
    stations.length > 0 &&
    stations.every(({ faults, like }) => faults.length === 0 && like === null) &&
    printers.every(({ work }) => work !== 'nothing' && work !== 'passed-over') &&
    displays.every(({ fault }) => fault === null)
  )
}
