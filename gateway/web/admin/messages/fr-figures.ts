// Words about the box itself, in French.
import { pluralOf } from '#shared/ui/languages.ts'
import type { enFigures } from './en-figures.ts'

const plural = pluralOf('fr')

export const frFigures = {
  latency: 'De la commande au papier',
  lastHours: 'Période',
  hours: (n: number) => plural(n, { one: 'Dernière heure', other: '# dernières heures' }),
  nothingPrinted: (n: number) =>
    plural(n, {
      one: 'Aucune commande imprimée pendant la dernière heure.',
      other: 'Aucune commande imprimée pendant les # dernières heures.',
    }),
  latencySummary: (half: string, nearlyAll: string, tickets: number) =>
    `La moitié en ${half}, 19 sur 20 en ${nearlyAll} (${plural(tickets, { one: '# bon', other: '# bons' })})`,
  half: 'la moitié',
  nearlyAll: '19 sur 20',
  box: 'Le boîtier',
  disk: 'Disque',
  free: (free: string, total: string) => `${free} libres sur ${total}`,
  memory: 'Mémoire',
  of: (used: string, limit: string) => `${used} sur ${limit}`,
  temperature: 'Température',
  wear: 'Carte',
  worn: (percent: number) => `usée jusqu’à ${percent} % de sa durée de vie`,
  clock: 'Horloge',
  clockRight: (apart: string) => `à l’heure (à ${apart} du relais)`,
  clockBehind: (apart: string) => `en retard de ${apart} sur le relais`,
  clockAhead: (apart: string) => `en avance de ${apart} sur le relais`,
  clockRestored: (apart: string) => `en retard de ${apart} au démarrage : repart de la dernière heure connue`,
  clockUnchecked: 'non comparée : le relais n’a pas encore répondu',
  notTold: 'cette machine ne le dit pas',
  notToldCard: 'cette carte ne dit pas son usure',
} satisfies typeof enFigures
