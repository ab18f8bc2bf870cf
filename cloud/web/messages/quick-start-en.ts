// The words of the page that leads to the first order, in English.
export const words = {
  intro: 'From a key to a ticket on paper and a webhook: about two minutes, in the sandbox.',
  key: {
    title: 'A key',
    make: 'Make a key',
    explain: 'Programs call the API with a key. This one is of the sandbox and goes into the lines below.',
    made: 'Your key stands in the lines below. Copy it if you want to keep it: it is shown until this page is closed.',
    label: 'API key',
  },
  order: {
    title: 'An order',
    explain: (restaurant: string) => `It goes to ${restaurant}. Run it in a terminal, or here.`,
    language: 'Language',
    languages: { curl: 'curl', javascript: 'JavaScript' },
    label: 'The order',
    run: 'Run it here',
    again: 'Send another one',
    taken: 'Taken.',
    see: 'See the order',
    noMenu: 'This restaurant has nothing on its menu. Choose another one, or put the sandbox back.',
  },
  paper: {
    title: 'The ticket',
    explain: 'As the printer in the kitchen gets it, byte for byte.',
    waiting: 'It stands here as soon as it is on paper: within a second or two of the order.',
  },
  webhook: {
    title: 'A webhook',
    explain: 'Your server hears of each step. Here an inspector takes the place of your server.',
    open: 'Open the inspector',
    waiting: 'The inspector listens. Send an order: what it receives stands here.',
    received: (type: string) => `Received: ${type}`,
    signed: 'Its signature is right.',
    wrong: 'Its signature is wrong.',
    label: 'The webhook',
    next: 'To your webhooks',
  },
  onlySandbox: 'The first steps are in the sandbox: nothing is billed there.',
  goSandbox: 'To the sandbox',
  done: 'What next',
  keys: 'Keys and their rights',
  docs: 'The API in full',
}

export type QuickStartWords = typeof words
