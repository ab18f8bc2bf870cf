// The words of the workbench, in Spanish.
import type { WorkbenchWords } from './workbench-en.ts'

export const words: WorkbenchWords = {
  choose: 'Qué mostrar',
  views: { requests: 'Peticiones', events: 'Eventos', deliveries: 'Entregas', api: 'API para esto' },
  things: { order: 'Pedido', endpoint: 'Endpoint', delivery: 'Entrega', event: 'Evento', request: 'Petición' },
  lists: {
    requests: {
      newest: 'Las últimas llamadas con claves de esta cuenta.',
      noneOfThis: 'Ninguna llamada guardada lo nombra.',
    },
    events: {
      newest: 'Los últimos eventos de este restaurante.',
      none: 'Todavía no hay eventos.',
      noneOfThis: 'No hay eventos suyos en los últimos 30 días.',
    },
    deliveries: {
      newest: 'Las últimas entregas de este restaurante.',
      none: 'Todavía no se ha entregado nada. Añada un endpoint en Webhooks.',
      noneOfThis: 'Nada de esto se ha enviado a un endpoint.',
    },
  },
  test: 'prueba',
  sequence: (number) => `n.º ${number}`,
  attempts: (count) => (count === 1 ? '1 intento' : `${count} intentos`),
  form: 'Escrito como',
  forms: { curl: 'curl', fetch: 'JavaScript' },
  apiHint: 'La clave se toma de la variable TICKETRAIL_API_KEY.',
  docs: 'La API completa',
  calls: {
    order: 'Este pedido',
    orders: 'Pedidos de este restaurante',
    orderEvents: 'Los eventos de este pedido',
    void: 'Anular este pedido',
    endpoint: 'Este endpoint',
    endpointDeliveries: 'Lo que se le ha enviado',
    testEvent: 'Lanzar un evento con datos inventados',
    endpoints: 'Todos los endpoints de este restaurante',
    newEndpoint: 'Añadir un endpoint',
    delivery: 'Esta entrega con sus intentos',
    redeliver: 'Enviarla otra vez',
    event: 'Este evento',
    events: 'Eventos de 30 días',
    gateways: 'Las cocinas de este restaurante',
    printers: 'Sus impresoras',
    skus: 'La carta',
    channels: 'Sus canales',
    usage: 'Llamadas y coste de este mes',
    merchants: 'Los restaurantes a los que llega una clave',
  },
  byKey: 'La tecla . lo abre y lo cierra',
}
