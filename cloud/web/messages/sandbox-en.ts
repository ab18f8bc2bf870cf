// The words of the page Sandbox, in English.
export const words = {
  intro:
    'Your own test restaurants. The same API on the same code; nothing here is billed. Where no box of yours is paired, a simulated kitchen prints.',
  onlySandbox: 'This page is about the sandbox.',
  goSandbox: 'Go to the sandbox',
  merchants: 'Test restaurants',
  merchantsHint: 'All have the same menu: one order can be tried on each by changing merchantId.',
  about: {
    'M-TEST-001': 'The usual restaurant: start here.',
    'M-TEST-002': 'Connected to six ordering platforms that confirm everything.',
    'M-TEST-003': 'Three locations; the first is the default.',
    'M-TEST-SLOW':
      'Answers every request 5 seconds late. Your client gives up earlier? The order was taken all the same: repeat it.',
    'M-TEST-FLAKY': 'Fails 30 % of the requests with 500; of these, half were done. Repeat with the same orderId.',
    'M-TEST-PRINTER-OFFLINE':
      'No printer can be reached: 503 printer.offline, and the order is stored. It is not a failure.',
  },
  simulated: 'simulated kitchen',
  gateway: 'your own box prints here',
  printers: (count: number) =>
    count === 0 ? 'no printer is known yet' : count === 1 ? '1 printer' : `${count} printers`,
  channels: (count: number) => `${count} platforms`,
  columns: (count: number) => `${count} columns`,
  faults: { slow: 'slow', flaky: 'fails now and then', 'printer-offline': 'printers offline' },
  use: 'Use this one',
  used: 'In use',
  paper: 'Paper of the simulated kitchen',
  paperHint: 'The very bytes that a printer would get, drawn. The newest comes first; paper is kept for seven days.',
  paperAtBox: 'A box of yours is paired here. It prints the orders, so no new paper comes to this page.',
  noPaper: 'Nothing is printed here yet. Send an order to this restaurant.',
  ofOrder: 'Its order',
  more: 'Older paper',
  clock: 'Time',
  clockHint:
    'Orders with a fireAt wait for their time. Put it forward for the orders of this restaurant; no clock is touched.',
  forward: 'Put forward by',
  spans: { quarter: '15 minutes', hour: '1 hour', day: '1 day', week: '7 days' },
  go: 'Put forward',
  moved: (moved: number, firing: number) =>
    moved === 0
      ? 'No order waits for its time here.'
      : `${moved === 1 ? '1 order' : `${moved} orders`} moved, ${firing} of them ${firing === 1 ? 'starts' : 'start'} now.`,
  heldByBox: (held: number) =>
    `${held === 1 ? '1 order is' : `${held} orders are`} at a paired box, which goes by its own clock.`,
  advance: 'Next step by hand',
  advanceHint: 'Stand in for the kitchen and the counter: each step sends its webhook.',
  noOpen: 'No order is open here.',
  reset: 'Put it back',
  resetHint: 'The menu as it was at first, everything on sale, the paper thrown away. Orders and webhooks stay.',
  resetGo: 'Put this restaurant back',
  resetDone: (items: number, tickets: number) => `Put back: ${items} items changed, ${tickets} tickets thrown away.`,
}

export type SandboxWords = typeof words
