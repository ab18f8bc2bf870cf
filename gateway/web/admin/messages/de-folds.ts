// The parts of the settings page, with a one-line state of each, in German.
import type { enFolds } from './en-folds.ts'

export const deFolds = {
  name: 'Name, Zeit und Sprache',
  pairing: 'Restaurant',
  https: 'Verschlüsselte Verbindung (https)',
  httpsStates: {
    off: 'Ausgeschaltet',
    starting: 'Startet',
    on: 'Eingeschaltet',
    failed: 'Geht nicht',
  },
  until: (date) => `Zertifikat bis ${date}`,
  sources: {
    'self-signed': 'von der Box selbst erstellt: Browser warnen einmal',
    provided: 'vom Besitzer der Box eingesetzt',
  },
  source: 'Zertifikat',
  validUntil: 'Gültig bis',
  port: 'Port',
  version: 'Version und Updates',
  versionNow: (version) => `Version ${version}`,
  updates:
    'Eine Box, die aus der Paketquelle installiert wurde, aktualisiert sich nachts von selbst. Startet eine Version nicht, kehrt die Box von selbst zur vorigen zurück.',
  people: 'Personen',
  peopleNow: (count, names) => (count === 1 ? `1 Person: ${names}` : `${count} Personen: ${names}`),
  password: 'Eigenes Passwort',
  signedIn: (name) => `Angemeldet als ${name}`,
  care: 'Diagnose, Sicherung, Wiederherstellung',
  logs: 'Was die Box notiert hat, das Neueste zuerst',
} satisfies typeof enFolds
