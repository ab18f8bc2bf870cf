// The words of charts, in English.
export const words = {
  keys: 'The arrow keys go from point to point, Home and End to the first and the last.',
  table: 'The numbers as a table',
  time: 'Time',
}

export type ChartWords = typeof words
