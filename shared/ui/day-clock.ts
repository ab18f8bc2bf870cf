// 24-hour times in every browser: browsers before 2019 do not support `hourCycle`, and with `hour12` alone many later ones write midnight as 24.

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
