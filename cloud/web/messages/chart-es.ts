// The words of charts, in Spanish.
import type { ChartWords } from './chart-en.ts'

export const words: ChartWords = {
  keys: 'Las flechas van de punto en punto; Inicio y Fin, al primero y al último.',
  table: 'Los números como tabla',
  time: 'Momento',
}
