// The parts of the settings page, with a one-line state of each, in French.
import type { enFolds } from './en-folds.ts'

export const frFolds = {
  name: 'Nom, heure et langue',
  pairing: 'Restaurant',
  https: 'Connexion chiffrée (https)',
  httpsStates: {
    off: 'Désactivée',
    starting: 'Démarrage',
    on: 'Activée',
    failed: 'Ne fonctionne pas',
  },
  until: (date) => `certificat jusqu’au ${date}`,
  sources: {
    'self-signed': 'fait par le boîtier lui-même : le navigateur avertit une fois',
    provided: 'installé par le propriétaire du boîtier',
  },
  source: 'Certificat',
  validUntil: 'Valable jusqu’au',
  port: 'Port',
  version: 'Version et mises à jour',
  versionNow: (version) => `Version ${version}`,
  updates:
    'Un boîtier installé depuis le dépôt de paquets se met à jour tout seul la nuit. Si une version ne démarre pas, la précédente revient toute seule.',
  people: 'Personnes',
  peopleNow: (count, names) => (count === 1 ? `1 personne : ${names}` : `${count} personnes : ${names}`),
  password: 'Votre mot de passe',
  signedIn: (name) => `Connecté : ${name}`,
  care: 'Diagnostic, sauvegarde, restauration',
  logs: 'Ce que le boîtier a noté, le plus récent d’abord',
} satisfies typeof enFolds
