// Words about the test order, in German.
import type { enTestOrder } from './en-test-order.ts'

export const deTestOrder = {
  title: 'Testbestellung',
  explain:
    'Eine Bestellung mit dem Vermerk TEST ORDER geht an alle Drucker und Monitore. Niemand soll sie zubereiten. Das Konto des Restaurants erfährt nichts davon.',
  send: 'Testbestellung senden',
  again: 'Noch eine senden',
  sent: (number: string) => `Bestellung ${number} ist unterwegs.`,
  green: 'Alles grün: Die Bestellung kam aus jedem Drucker und auf jeden Monitor.',
  notYet: 'Noch nicht alles grün.',
  after: (duration: string) => `nach ${duration}`,
  noPrinter: 'Noch kein Drucker eingerichtet. Sie wird gedruckt, sobald es einen gibt.',
  waiting: 'Wartet auf den Drucker',
  shown: 'Auf dem Monitor zu sehen',
  notShown: 'Noch nicht zu sehen',
  screenOff: 'Der Monitor ist aus oder nicht angemeldet',
  screenOffHint: 'Auf dem Tablet die Küchenseite öffnen und dort die Schicht starten.',
  ready: 'Fertig auf einem Monitor',
  isReady: 'Angetippt',
  tapReady: 'Bei der Bestellung auf „Fertig“ tippen',
  paperOf: 'Bon von',
} satisfies typeof enTestOrder
