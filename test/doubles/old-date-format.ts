// Times as browsers of some years ago write them: `hourCycle` is not known, and without `hour12` midnight is 24.

/** @returns what `work` does while the page's formats are those of an old browser */
export function withOldDateFormat<T>(work: () => T): T {
  const Present = Intl.DateTimeFormat
  Intl.DateTimeFormat = class extends Present {
    constructor(locale?: string, options: Intl.DateTimeFormatOptions = {}) {
      const { hourCycle: _, hour12, ...known } = options
      super(locale, hour12 === false ? { ...known, hourCycle: 'h24' } : known)
    }
  } as typeof Intl.DateTimeFormat
  try {
    return work()
  } finally {
    Intl.DateTimeFormat = Present
  }
}
