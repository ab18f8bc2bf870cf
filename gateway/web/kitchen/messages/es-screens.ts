// Spanish texts of the runner's display, the guests' board and the drawers.
import type { enScreens } from './en-screens.ts'

export const esScreens: typeof enScreens = {
  preparing: 'En preparación',
  pickUpReady: 'Listo',
  pickUpStale: 'Sin actualizar desde las {time}. Pregunte en el mostrador.',
  nothingReady: 'Todavía no hay nada listo',
  runnerStale: 'Sin conexión desde las {time}. Lo que está listo desde entonces no aparece aquí: mire el pase.',
  moreToCome: 'Tiempo {n} en espera',
  readyToCarry: 'por servir',
  carried: 'Servido',
  combine: 'Juntar',
  combineNext: 'Próximas {n} comandas',
  combineNone: 'No hay comandas abiertas',
  onTickets: 'en {n} comandas',
  onOne: 'en una sola comanda',
  noStation: 'Sin estación',
  lateOf: '{n} con retraso',
  lastActs: 'Últimos toques aquí',
  readyAndPickedUp: 'Listo y recogido',
}
