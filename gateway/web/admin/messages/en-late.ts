// Words of when an order is late, in English.

export const enLate = {
  title: 'When an order is late',
  /** @param others types that are late at another minute, or nothing */
  state: (usual: number, others: string) => `After ${usual} minutes${others === '' ? '' : `. ${others}`}`,
  explain:
    'Every screen that is not set to its own minutes follows these, and so does the report. Empty: the minutes that stand there in grey. An order with a promised time is late once that is over.',
  usual: 'Other orders',
  soonAfter: 'Soon late after, minutes',
  lateAfter: 'Late after, minutes',
}
