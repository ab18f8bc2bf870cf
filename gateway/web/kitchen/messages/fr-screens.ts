// French texts of the runner's display, the guests' board and the drawers.
import type { enScreens } from './en-screens.ts'

export const frScreens: typeof enScreens = {
  preparing: 'En préparation',
  pickUpReady: 'Prêtes',
  pickUpStale: 'Pas à jour depuis {time}. Demandez au comptoir.',
  nothingReady: 'Rien n’est encore prêt',
  runnerStale: 'Pas de connexion depuis {time}. Ce qui est prêt depuis ne s’affiche pas ici : regardez au passe.',
  moreToCome: 'Suite {n} à réclamer',
  readyToCarry: 'à servir',
  carried: 'Servi',
  combine: 'Grouper',
  combineNext: 'Les {n} prochains bons',
  combineNone: 'Aucun bon en cours',
  onTickets: 'sur {n} bons',
  onOne: 'sur un seul bon',
  noStation: 'Sans poste',
  lateOf: '{n} en retard',
  lastActs: 'Derniers appuis ici',
  readyAndPickedUp: 'Prêtes et récupérées',
}
