// Words about the box itself, in Spanish.
import { pluralOf } from '#shared/ui/languages.ts'
import type { enFigures } from './en-figures.ts'

const plural = pluralOf('es')

export const esFigures = {
  latency: 'Del pedido al papel',
  lastHours: 'Tiempo',
  hours: (n: number) => plural(n, { one: 'Última hora', other: 'Últimas # horas' }),
  nothingPrinted: (n: number) =>
    plural(n, {
      one: 'No se imprimió ningún pedido en la última hora.',
      other: 'No se imprimió ningún pedido en las últimas # horas.',
    }),
  latencySummary: (half: string, nearlyAll: string, tickets: number) =>
    `La mitad en ${half}, 19 de 20 en ${nearlyAll} (${plural(tickets, { one: '# ticket', other: '# tickets' })})`,
  half: 'la mitad',
  nearlyAll: '19 de 20',
  box: 'El equipo',
  disk: 'Disco',
  free: (free: string, total: string) => `${free} libres de ${total}`,
  memory: 'Memoria',
  of: (used: string, limit: string) => `${used} de ${limit}`,
  temperature: 'Temperatura',
  wear: 'Tarjeta',
  worn: (percent: number) => `gastada hasta el ${percent} % de su vida`,
  clock: 'Reloj',
  clockRight: (apart: string) => `correcto (a ${apart} del servidor)`,
  clockBehind: (apart: string) => `${apart} atrasado respecto al servidor`,
  clockAhead: (apart: string) => `${apart} adelantado respecto al servidor`,
  clockRestored: (apart: string) => `estaba ${apart} atrasado al arrancar: sigue desde la última hora conocida`,
  clockUnchecked: 'sin comparar: el servidor aún no ha respondido',
  notTold: 'este equipo no lo indica',
  notToldCard: 'esta tarjeta no indica su desgaste',
} satisfies typeof enFigures
