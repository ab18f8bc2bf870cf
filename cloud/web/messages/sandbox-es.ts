// The words of the page Sandbox, in Spanish.
import type { SandboxWords } from './sandbox-en.ts'

export const words: SandboxWords = {
  intro:
    'Sus propios restaurantes de prueba. La misma API con el mismo código; aquí no se factura nada. Donde no hay un aparato suyo vinculado imprime una cocina simulada.',
  onlySandbox: 'Esta página trata del sandbox.',
  goSandbox: 'Ir al sandbox',
  merchants: 'Restaurantes de prueba',
  merchantsHint: 'Todos tienen el mismo menú: un pedido se puede probar en cada uno cambiando merchantId.',
  about: {
    'M-TEST-001': 'El restaurante habitual: empiece aquí.',
    'M-TEST-002': 'Conectado a seis plataformas de pedidos que lo confirman todo.',
    'M-TEST-003': 'Tres locales; el primero es el predeterminado.',
    'M-TEST-SLOW':
      'Responde 5 segundos tarde a todo. ¿Su cliente se rinde antes? El pedido se aceptó igualmente: repítalo.',
    'M-TEST-FLAKY':
      'Falla el 30 % de las peticiones con 500; la mitad de ellas sí se hizo. Repita con el mismo orderId.',
    'M-TEST-PRINTER-OFFLINE':
      'No se alcanza ninguna impresora: 503 printer.offline, y el pedido queda guardado. No es un fallo.',
  },
  simulated: 'cocina simulada',
  gateway: 'aquí imprime su propia caja',
  printers: (count) =>
    count === 0 ? 'todavía no se conoce ninguna impresora' : count === 1 ? '1 impresora' : `${count} impresoras`,
  channels: (count) => `${count} plataformas`,
  columns: (count) => `${count} columnas`,
  faults: { slow: 'lento', flaky: 'falla a veces', 'printer-offline': 'impresoras sin conexión' },
  use: 'Usar este',
  used: 'En uso',
  paper: 'Papel de la cocina simulada',
  paperHint:
    'Los mismos bytes que recibiría una impresora, dibujados. Primero el más nuevo; el papel se guarda siete días.',
  paperAtBox:
    'Aquí hay una caja suya emparejada. Ella imprime los pedidos, así que no llega papel nuevo a esta página.',
  noPaper: 'Aquí aún no se ha impreso nada. Envíe un pedido a este restaurante.',
  ofOrder: 'Su pedido',
  more: 'Papel anterior',
  clock: 'Tiempo',
  clockHint:
    'Los pedidos con fireAt esperan su hora. Adelántela para los pedidos de este restaurante; no se toca ningún reloj.',
  forward: 'Adelantar',
  spans: { quarter: '15 minutos', hour: '1 hora', day: '1 día', week: '7 días' },
  go: 'Adelantar',
  moved: (moved, firing) =>
    moved === 0
      ? 'Aquí ningún pedido espera su hora.'
      : `${moved === 1 ? '1 pedido movido' : `${moved} pedidos movidos`}, ${firing} ${firing === 1 ? 'empieza' : 'empiezan'} ahora.`,
  heldByBox: (held) =>
    `${held === 1 ? '1 pedido está' : `${held} pedidos están`} en una caja vinculada, que va con su propio reloj.`,
  advance: 'Siguiente paso a mano',
  advanceHint: 'Haga de cocina y de mostrador: cada paso envía su webhook.',
  noOpen: 'Aquí no hay pedidos abiertos.',
  reset: 'Restablecer',
  resetHint: 'El menú como al principio, todo a la venta, el papel tirado. Los pedidos y webhooks se quedan.',
  resetGo: 'Restablecer este restaurante',
  resetDone: (items, tickets) => `Restablecido: ${items} artículos cambiados, ${tickets} tickets tirados.`,
}
