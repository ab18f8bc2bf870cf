// Words about the test order, in French.
import type { enTestOrder } from './en-test-order.ts'

export const frTestOrder = {
  title: 'Commande de test',
  explain:
    'Une commande marquée TEST ORDER va à chaque imprimante et à chaque écran. Personne ne doit la préparer ; le compte du restaurant n’en sait rien.',
  send: 'Envoyer une commande de test',
  again: 'En envoyer une autre',
  sent: (number: string) => `La commande ${number} est en route.`,
  green: 'Tout est au vert : la commande est sortie de chaque imprimante et arrivée sur chaque écran.',
  notYet: 'Tout n’est pas encore au vert.',
  after: (duration: string) => `après ${duration}`,
  noPrinter: 'Aucune imprimante n’est encore installée. La commande s’imprimera quand il y en aura une.',
  waiting: 'Attend l’imprimante',
  shown: 'Affichée à l’écran',
  notShown: 'Pas encore affichée',
  screenOff: 'L’écran est éteint ou n’est pas connecté',
  screenOffHint: 'Ouvrez la page de cuisine sur la tablette et commencez-y le service.',
  ready: 'Prête sur un écran',
  isReady: 'Appuyé',
  tapReady: 'Appuyez sur Prêt sur la commande',
  paperOf: 'Le bon de',
} satisfies typeof enTestOrder
