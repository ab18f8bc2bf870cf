// Times of 24 hours in every browser: those before 2019 know no `hourCycle`, and by `hour12` alone many of later years write midnight as 24.

export type DayClock = Pick<Intl.DateTimeFormat, 'format'>

/** @param options without `hourCycle` and `hour12` */
export function dayClock(locale: string, options: Intl.DateTimeFormatOptions): DayClock {
  const format = new Intl.DateTimeFormat(locale, { ...options, hour12: false })
  return {
    format: (instant) =>
      format
        .formatToParts(instant)
        .map(({ type, value }) => (type === 'hour' && value === '24' ? '00' : value))
        .join(''),
  }
}
