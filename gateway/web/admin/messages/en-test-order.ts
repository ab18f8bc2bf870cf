// Words about the test order, in English.

export const enTestOrder = {
  title: 'Test order',
  explain:
    'An order marked TEST ORDER goes to every printer and screen. Nobody is to make it; the restaurant’s account hears nothing of it.',
  send: 'Send a test order',
  again: 'Send another one',
  sent: (number: string) => `Order ${number} is on its way.`,
  green: 'Everything is green: the order came out of every printer and onto every screen.',
  notYet: 'Not everything is green yet.',
  after: (duration: string) => `after ${duration}`,
  noPrinter: 'No printer is set up yet. It prints when there is one.',
  waiting: 'Waits for the printer',
  shown: 'Shown on the screen',
  notShown: 'Not shown yet',
  screenOff: 'The screen is off, or not signed in',
  screenOffHint: 'Open the kitchen page on the tablet and start the shift there.',
  ready: 'Ready on a screen',
  isReady: 'Tapped',
  tapReady: 'Tap Ready on the order',
  paperOf: 'The ticket at',
}
