// The words of the first page, in English.
export const words = {
  needsYou: (count: number) => (count === 1 ? 'One thing needs you' : `${count} things need you`),
  allPrints: 'Everything prints',
  allPrintsHint: 'No alert is open.',
  notKnown: 'Not known: no connection',
  severities: { critical: 'Now', warning: 'Soon' },
  since: (ago: string) => `began ${ago}`,
  goTo: {
    kitchens: 'To the kitchens',
    orders: 'To the orders',
    webhooks: 'To the webhooks',
    usage: 'To the usage',
    outbox: 'To the outbox',
  },
  orders: 'Orders now',
  open: 'open',
  toPrint: 'not on paper yet',
  ready: 'ready to hand over',
  scheduled: 'for later',
  online: 'online',
  silent: 'silent',
  noKitchen: 'No kitchen is connected.',
  webhooks: 'Webhooks',
  taking: 'taking',
  failing: 'failing',
  disabled: 'switched off',
  noWebhooks: 'No server listens yet.',
  firstSteps: 'Nothing has happened here yet. The first order takes two minutes.',
  toQuickStart: 'Start here',
  all: 'See all',
}

export type HomeWords = typeof words
