// The parts of the settings page, with a one-line state of each, in English.
export const enFolds = {
  name: 'Name, time and language',
  pairing: 'Restaurant',
  https: 'Encrypted connection (https)',
  httpsStates: {
    off: 'Switched off',
    starting: 'Starting',
    on: 'On',
    failed: 'Does not work',
  },
  until: (date: string) => `certificate until ${date}`,
  sources: {
    'self-signed': 'made by the box itself: browsers warn once',
    provided: 'put in by the owner of the box',
  },
  source: 'Certificate',
  validUntil: 'Valid until',
  port: 'Port',
  version: 'Version and updates',
  versionNow: (version: string) => `Version ${version}`,
  updates:
    'A box that was installed from the package source updates itself at night. A version that does not start is taken back by itself.',
  people: 'People',
  peopleNow: (count: number, names: string) => (count === 1 ? `1 person: ${names}` : `${count} people: ${names}`),
  password: 'Your password',
  signedIn: (name: string) => `Signed in as ${name}`,
  care: 'Diagnostics, backup, restore',
  logs: 'What the box has noted, the newest first',
}
