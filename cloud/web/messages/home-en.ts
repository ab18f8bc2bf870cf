// The words of the first page, in English.
export const words = {
  account: 'Account',
  plan: 'Plan',
  role: 'Your role',
  environment: 'Environment',
  keys: 'API keys',
  liveAllowed: 'Live keys',
  allowed: 'allowed',
  notYet: 'not yet: ask for live access',
}

export type HomeWords = typeof words
