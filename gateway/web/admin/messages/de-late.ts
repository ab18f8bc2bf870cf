// Words of when an order is late, in German.
import type { enLate } from './en-late.ts'

export const deLate = {
  title: 'Ab wann eine Bestellung zu spät ist',
  /** @param others types that are late at another minute, or nothing */
  state: (usual: number, others: string) => `Nach ${usual} Minuten${others === '' ? '' : `. ${others}`}`,
  explain:
    'Danach richten sich alle Monitore ohne eigene Minuten und der Bericht. Leer: die Minuten, die dort grau stehen. Eine Bestellung mit zugesagter Zeit ist zu spät, sobald diese vorbei ist.',
  usual: 'Andere Bestellungen',
  soonAfter: 'Bald zu spät nach, Minuten',
  lateAfter: 'Zu spät nach, Minuten',
} satisfies typeof enLate
