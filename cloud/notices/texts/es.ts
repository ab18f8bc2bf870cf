// Mail in Spanish.
import { alertWords } from './alert-words.ts'
import { dollarsIn, linkIf, minuteOf, nameIn, PRODUCT, scopesIn } from './letter.ts'
import type { NoticeWords } from './words.ts'

const ROLES = {
  staff: 'personal',
  developer: 'desarrollo',
  manager: 'gerencia',
  owner: 'propietario',
  operator: 'operador',
}
const METHODS = {
  password: 'una contraseña',
  passkey: 'una clave de acceso',
  code: 'un código por correo',
  link: 'un enlace por correo',
}
const DEEDS = { made: 'Se creó', rotated: 'Se renovó', revoked: 'Se revocó' }
const SIGN_IN = {
  'password-set': 'se puso una contraseña nueva',
  'passkey-added': 'se añadió una llave de acceso',
  'passkey-removed': 'se quitó una llave de acceso',
}
const ACCESS = {
  approved: 'Tiene acceso al restaurante',
  narrowed: 'Se redujo su acceso al restaurante',
  declined: 'No se le dio acceso al restaurante',
  removed: 'Se retiró su acceso al restaurante',
}
const REQUESTS = {
  live: 'puede tener claves de producción',
  plan: 'tiene otro plan',
  refused: 'no recibe lo que pidió',
}
const ENVIRONMENTS = { sandbox: 'de pruebas', live: 'de producción' }
const PURPOSES = { 'sign-up': 'registrarse', 'sign-in': 'iniciar sesión', reset: 'elegir una contraseña nueva' }
const WAITING = {
  mail: 'Correo',
  webhooks: 'Entregas de webhooks',
  channels: 'Cambios para plataformas de pedidos',
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`
const tickets = (count: number) => counted(count, 'comanda', 'comandas')

const alerts: NoticeWords['alerts'] = {
  'box-silent': ({ place }) => ({
    title: `El equipo de ${nameIn(place)} no está conectado`,
    act: 'Compruebe que el equipo tiene corriente y que su red llega a internet. Sigue imprimiendo lo que ya tiene; los pedidos nuevos lo esperan.',
  }),
  'printer-away': ({ place, printer, waiting }) => ({
    title: `La impresora ${nameIn(printer)} de ${nameIn(place)} no imprime`,
    act: `Compruebe la corriente, el papel, la tapa y el cable. Comandas en espera: ${waiting}.`,
  }),
  'ticket-late': ({ place, tickets: late }) => ({
    title: `${tickets(late)} de ${nameIn(place)} sin imprimir a tiempo`,
    act: 'Mire los pedidos en el panel y avise a la cocina. Después revise el equipo y sus impresoras.',
  }),
  'ticket-uncertain': ({ place, tickets: doubtful }) => ({
    title: `${tickets(doubtful)} de ${nameIn(place)}: no se sabe si se imprimió`,
    act: 'Mire si la comanda está en la impresora. Si no está, imprímala de nuevo en el equipo; si está, confírmelo allí.',
  }),
  'endpoint-failing': ({ site }) => ({
    title: `El destino de webhooks ${nameIn(site)} falla`,
    act: 'Mire sus últimas respuestas en el panel, en Webhooks. Los eventos esperan y se envían de nuevo.',
  }),
  'endpoint-failing-long': ({ site }) => ({
    title: `El destino de webhooks ${nameIn(site)} falla desde hace un día`,
    act: 'Repárelo pronto: un evento se abandona tras seis intentos, y un destino que sigue fallando se desactiva.',
  }),
  'endpoint-disabled': ({ site }) => ({
    title: `El destino de webhooks ${nameIn(site)} está desactivado`,
    act: 'No recibe eventos. Repárelo, actívelo en el panel, en Webhooks, y envíe de nuevo lo que no recibió.',
  }),
  'clock-off': ({ place, seconds }) => ({
    title: `El reloj del equipo de ${nameIn(place)} va ${Math.abs(seconds)} s ${seconds > 0 ? 'adelantado' : 'atrasado'}`,
    act: 'Compruebe que el equipo llega a un servidor de hora (puerto UDP 123). Hasta entonces sus comandas llevan una hora errónea.',
  }),
  'usage-high': ({ percent, month }) => ({
    title: `Se ha usado el ${percent} % de las llamadas de ${month}`,
    act: 'Mire Uso en el panel. Las llamadas que pasan de lo incluido en el plan se cobran aparte.',
  }),
  'usage-full': ({ percent, month }) => ({
    title: `Se han usado todas las llamadas incluidas de ${month} (${percent} %)`,
    act: 'Mire Uso en el panel. Cada llamada más se cobra aparte; un plan mayor puede costar menos.',
  }),
  'outbox-old': ({ what, waiting }) => ({
    title: `${WAITING[what]} de este servidor: ${waiting} en espera desde hace más de 10 minutos`,
    act: 'Mire qué lo impide: admin notices list para el correo, admin server report para lo demás.',
  }),
}

export const SPANISH: NoticeWords = {
  alerts,
  footer: `${PRODUCT}. Este correo lo envía una máquina: nadie lee las respuestas.`,
  code: ({ purpose, code, minutes }) => ({
    subject: `Su código de ${PRODUCT}`,
    parts: [
      `Escriba este código para ${PURPOSES[purpose]}:`,
      { code },
      `Vale ${counted(minutes, 'minuto', 'minutos')} y una sola vez.`,
      'Si no lo pidió usted, no haga nada: sin el código no pasa nada. No se lo dé a nadie.',
    ],
  }),
  'already-known': ({ link }) => ({
    subject: `Usted ya tiene acceso a ${PRODUCT}`,
    parts: [
      'Alguien, quizá usted, quiso registrarse con esta dirección. Ya es conocida, así que no se creó nada nuevo.',
      { link, words: 'Inicie sesión aquí, o elija una contraseña nueva:' },
      'Si no fue usted, no haga nada.',
    ],
  }),
  invitation: ({ link, accountName, role, invitedBy, expiresAtMs }) => ({
    subject: `${nameIn(invitedBy)} le invita a ${nameIn(accountName)}`,
    parts: [
      `Le invitan a trabajar en una cuenta de ${PRODUCT}.`,
      {
        facts: [
          ['Cuenta', accountName],
          ['Su función', ROLES[role]],
          ['Invita', invitedBy],
        ],
      },
      { link, words: 'Acepte aquí:' },
      `El enlace vale hasta ${minuteOf(expiresAtMs)} y una sola vez. Si no conoce a quien le invita, no haga nada.`,
    ],
  }),
  'new-device': ({ atMs, address, agent, method, link }) => ({
    subject: `Inicio de sesión en ${PRODUCT} desde un navegador nuevo`,
    parts: [
      'Alguien inició sesión con su usuario desde un navegador que no se había visto antes.',
      {
        facts: [
          ['Cuándo', minuteOf(atMs)],
          ['Desde', address],
          ['Navegador', agent],
          ['Con', METHODS[method]],
        ],
      },
      {
        link,
        words: 'Si fue usted, no haga nada. Si no, termine aquí esa sesión y elija una contraseña nueva:',
      },
    ],
  }),
  'sign-in-changed': ({ deed, name, atMs, link }) => ({
    subject: `Su inicio de sesión en ${PRODUCT} cambió: ${SIGN_IN[deed]}`,
    parts: [
      `Cambió el inicio de sesión de esta dirección: ${SIGN_IN[deed]}.`,
      { facts: [...(name === null ? [] : [['Llave de acceso', name] as const]), ['Cuándo', minuteOf(atMs)]] },
      {
        link,
        words:
          'Si fue usted, no haga nada. Si no, ponga aquí una contraseña nueva con un código por correo, quite las llaves de acceso que no sean suyas y avise al propietario de su cuenta:',
      },
    ],
  }),
  key: ({ deed, environment, endsWith, name, accountName, by, atMs }) => ({
    subject: `${DEEDS[deed]} una clave ${ENVIRONMENTS[environment]} de ${nameIn(accountName)}`,
    parts: [
      `${DEEDS[deed]} una clave de API.`,
      {
        facts: [
          ['Cuenta', accountName],
          ['Clave', `${ENVIRONMENTS[environment]}, termina en ${endsWith}`],
          ...(name === null ? [] : [['Nombre', name] as const]),
          ['Por', by],
          ['Cuándo', minuteOf(atMs)],
        ],
      },
      'Si no lo hizo nadie de los suyos, revoque la clave en el panel, en Claves, y cambie las contraseñas.',
    ],
  }),
  'access-asked': ({ merchantId, merchantName, partnerId, partnerName, scopes, atMs }) => ({
    subject: `${nameIn(partnerName)} pide acceso a ${nameIn(merchantName)}`,
    parts: [
      'Un socio pide acceso a un restaurante suyo. No lo tiene hasta que usted lo apruebe.',
      {
        facts: [
          ['Restaurante', `${nameIn(merchantName)} (${merchantId})`],
          ['Socio', `${nameIn(partnerName)} (${partnerId})`],
          ['Pide', scopes.join(', ')],
          ['Cuándo', minuteOf(atMs)],
        ],
      },
      'Apruébelo o rechácelo en el panel, en Socios. Si no conoce a este socio, rechácelo.',
    ],
  }),
  'access-answered': ({ deed, merchantId, accountName, scopes, atMs }) => ({
    subject: `${ACCESS[deed]} ${merchantId}`,
    parts: [
      `${ACCESS[deed]} ${merchantId}.`,
      {
        facts: [
          ['Su cuenta', accountName],
          ...scopesIn(deed, scopes, ['Puede', 'todo lo que pueden sus claves']),
          ['Cuándo', minuteOf(atMs)],
        ],
      },
      'Vea lo que tiene y pida más en el panel, en Socios.',
    ],
  }),
  'request-answered': ({ answer, plan, accountName, atMs }) => ({
    subject: `${nameIn(accountName)} ${REQUESTS[answer]}`,
    parts: [
      answer === 'refused'
        ? 'Quienes llevan este servicio dijeron que no a lo que pidió. Puede pedirlo de nuevo.'
        : 'Quienes llevan este servicio respondieron.',
      {
        facts: [
          ['Cuenta', accountName],
          ['Plan', plan],
          ['Cuándo', minuteOf(atMs)],
        ],
      },
      answer === 'live'
        ? 'Cree claves de producción en el panel, en Claves. La facturación ha empezado.'
        : 'Vea su plan en el panel, en Consumo.',
    ],
  }),
  'alert-began': ({ alert, sinceMs, link }) => {
    const { title, act } = alertWords(alerts, alert)
    return {
      subject: `Aviso: ${title}`,
      parts: [`${title}.`, { facts: [['Desde', minuteOf(sinceMs)]] }, act, ...linkIf(link, 'Más en el panel:')],
    }
  },
  'alert-ended': ({ alert, sinceMs, endedMs, link }) => {
    const { title } = alertWords(alerts, alert)
    const from: [string, string] = ['Desde', minuteOf(sinceMs)]
    return {
      subject: `Terminado: ${title}`,
      parts: [
        'Esto ya pasó. No tiene que hacer nada.',
        `${title}.`,
        { facts: [from, ['Hasta', minuteOf(endedMs)]] },
        ...linkIf(link, 'Más en el panel:'),
      ],
    }
  },
  invoice: ({ accountName, month, totalCents, link }) => ({
    subject: `Factura de ${month} para ${nameIn(accountName)}`,
    parts: [
      `La factura de ${month} está lista.`,
      {
        facts: [
          ['Cuenta', accountName],
          ['Total', dollarsIn(totalCents, 'según contrato')],
        ],
      },
      ...linkIf(link, 'Véala en el panel:'),
    ],
  }),
  'order-ready': ({ restaurant, number }) => ({
    subject: `${nameIn(restaurant)}: su pedido ${nameIn(number)} está listo`,
    parts: [`Su pedido ${nameIn(number)} está listo para recoger en ${nameIn(restaurant)}.`],
  }),
  test: ({ by }) => ({
    subject: `Correo de prueba de ${PRODUCT}`,
    parts: [`${nameIn(by)} pidió este correo para ver si llega. Ha llegado.`],
  }),
}
