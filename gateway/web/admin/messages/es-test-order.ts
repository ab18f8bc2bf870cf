// Words about the test order, in Spanish.
import type { enTestOrder } from './en-test-order.ts'

export const esTestOrder = {
  title: 'Pedido de prueba',
  explain:
    'Un pedido marcado TEST ORDER llega a todas las impresoras y pantallas. Nadie debe prepararlo; la cuenta del restaurante no se entera.',
  send: 'Enviar un pedido de prueba',
  again: 'Enviar otro',
  sent: (number: string) => `El pedido ${number} está en camino.`,
  green: 'Todo en verde: el pedido salió por todas las impresoras y apareció en todas las pantallas.',
  notYet: 'Aún no está todo en verde.',
  after: (duration: string) => `tras ${duration}`,
  noPrinter: 'Todavía no hay ninguna impresora. Se imprimirá cuando haya una.',
  waiting: 'Espera a la impresora',
  shown: 'Se ve en la pantalla',
  notShown: 'Aún no se ve',
  screenOff: 'La pantalla está apagada o sin sesión',
  screenOffHint: 'Abra la página de cocina en la tableta y empiece allí el turno.',
  ready: 'Listo en una pantalla',
  isReady: 'Pulsado',
  tapReady: 'Pulse Listo en el pedido',
  paperOf: 'El ticket de',
} satisfies typeof enTestOrder
