// What the receptionist says and understands in Spanish. Patterns are without accents, as `plain` gives a text.
import type { SpokenWords } from './spoken-words.ts'

const NUMBER =
  'uno|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|dieciseis|diecisiete|dieciocho|diecinueve|veinte|treinta'
const DAY =
  'hoy|esta noche|esta tarde|esta manana|pasado manana|(?:por )?la manana|manana|(?:este |el |proximo )*(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo)'
const CLOCK = `(?:a|sobre|hacia|como a) las? (?:\\d{1,2}(?::?\\d{2})?|${NUMBER})(?: y (?:media|cuarto|${NUMBER}))?(?: menos cuarto)?(?: de la (?:manana|tarde|noche)| pm| am)?|a mediodia|al mediodia`
const WHEN = `(?:para )?(?:${DAY}|${CLOCK})`

export const ES: SpokenWords = {
  tag: 'es-US',
  means: {
    person:
      /\b(persona|humano|humana|agente|operador|operadora|representante|gerente|encargado|encargada|alguien|recepcionista|empleado|dueno|hablar con|comunicame|comuniqueme|paseme|transferir)\b/,
    putThrough:
      /\b(hablar|real|humano|humana|agente|operador|operadora|representante|gerente|encargado|encargada|alguien|comunicame|comuniqueme|paseme|transferir)\b|^persona$/,
    allergy: /\b(alergi\w*|alergen\w*|anafila\w*|celiac\w*|intoleran\w*|sin gluten|lactosa)\b/,
    complaint:
      /\b(queja|quejas|quejarme|reclamo|reclamar|reclamacion|reembolso|devolver(me)? (el|mi) dinero|asqueros\w*|terrible|horrible|pesim\w*|inaceptable|intoxica\w*|me enferme|pedido (esta |estaba )?(mal|equivocado)|pedido no (ha )?lleg\w*|nunca llego|sigo esperando|comida (esta |estaba )?fria|abogado|cobraron de mas)\b/,
    payment:
      /\b(mi tarjeta( de (credito|debito))? es|numero de (la |mi )?tarjeta|pagar (ahora|por telefono)|pago (ahora|por telefono)|pagar con mi tarjeta)\b/,
    message: /\b((dejar|dejo|dejarle|tomar) (un |el )?(mensaje|recado)|buzon( de voz)?)\b|^(mensaje|recado)$/,
    goodbye:
      /^(no|no gracias|nada( mas)?|no nada mas|eso es todo|es todo|no eso es todo|gracias|muchas gracias|adios)( gracias| muchas gracias| adios)*$|\b(adios|hasta luego)$/,
    table: /\b(reserva\w*|una mesa|(hay|tienen|quiero|apartar) mesas?|mesa para)\b|^mesas?$/,
    bookedTable:
      /\b(cancelar|cambiar|mover|confirmar|modificar|anular)\b.{0,20}\b(reserva|reservacion|mesa)\b|\b(mi|nuestra|la) (reserva|reservacion)\b|\b(tengo|tenemos|hice|hicimos) (ya )?una (reserva|reservacion)\b|\bllegar(e|emos)? tarde\b/,
    order: new RegExp(
      `\\b(pedido|pedidos|pedir|ordenar|orden|encargar|para llevar|para recoger)\\b|\\b(?:quiero|quisiera|me gustaria|me da|deme|ponme|pongame) (?:un|unos|unas|la|el|\\d{1,2}|${NUMBER})\\b`,
    ),
    aroundOrder:
      /\b(hola|buenas|buenos|dias|tardes|noches|por|favor|si|yo|quiero|quisiera|gustaria|me|da|deme|hacer|puedo|un|una|el|la|mi|pedido|pedir|ordenar|orden|encargar|algo|comida|para|llevar|recoger|de|comer|ahora|lo)\b/g,
    repeat: /\b(repit\w*|repetir|otra vez|de nuevo|como dijo|perdon|menu)\b/,
    question:
      /^(eh |este |hola |oiga |y |pues |disculpe )*(que|cual|cuando|cuanto|cuantos|donde|como|quien|por que|a que|hasta|tienen|tiene|hay|hacen|venden|aceptan|estan|esta|abren|cierran|es|son|puedo (estacionar|traer|pagar))\b/,
    hours:
      /\b(abiert[oa]s?|abren|abre|abrir|cerrad[oa]s?|cierran|cierra|cerrar|horarios?|a que hora|hasta que hora|horas)\b/,
    thisNumber: /\b(?:(?:en|a|al) )?(?:este|el mismo|mismo)(?: numero| mismo)?(?: esta bien)?\b/,
    today: /\b(hoy|ahora|esta (noche|tarde|manana)|todavia|aun)\b/,
    tomorrow: /(?<!\b(?:la|esta|pasado) )\bmanana\b/,
    party: new RegExp(
      `\\b(?:(?:para|de|somos|seremos|mesa para) (\\d{1,2}|${NUMBER})(?! ?(?:am|pm|y media|y cuarto|de la|:))\\b|(\\d{1,2}|${NUMBER}) (?:personas?|adultos?|comensales))`,
    ),
    onlyMe: /\b(solo|solamente|nada mas) yo\b|\byo sol[oa]\b/,
    when: new RegExp(`\\b(?:${WHEN})(?:.*\\b(?:${WHEN})\\b)?`),
    beforeName: /^(hola |eh |si )*(soy |me llamo |mi nombre es |a nombre de |el nombre es |es )+/,
  },
  numbers: {
    cero: 0,
    un: 1,
    uno: 1,
    una: 1,
    dos: 2,
    par: 2,
    tres: 3,
    cuatro: 4,
    cinco: 5,
    seis: 6,
    siete: 7,
    ocho: 8,
    nueve: 9,
    diez: 10,
    once: 11,
    doce: 12,
    docena: 12,
    trece: 13,
    catorce: 14,
    quince: 15,
    dieciseis: 16,
    diecisiete: 17,
    dieciocho: 18,
    diecinueve: 19,
    veinte: 20,
    veintiuno: 21,
    veintidos: 22,
    veintitres: 23,
    veinticuatro: 24,
    veinticinco: 25,
    veintiseis: 26,
    veintisiete: 27,
    veintiocho: 28,
    veintinueve: 29,
    treinta: 30,
    cuarenta: 40,
    cincuenta: 50,
    sesenta: 60,
    setenta: 70,
    ochenta: 80,
    noventa: 90,
  },
  weekdays: {
    monday: 'lunes',
    tuesday: 'martes',
    wednesday: 'miércoles',
    thursday: 'jueves',
    friday: 'viernes',
    saturday: 'sábado',
    sunday: 'domingo',
  },
  stopWords: new Set(
    'a al algo alguna alguno algun aqui asi con como cual cuando cuanto cuanta da dan de del dia donde el ella ellos en es esa ese eso esta este esto estan favor gracias ha hacen hay hola la las le les lo los me mi mis muy no nos o oiga para pero por porque puede pueden puedo que quien quiero quisiera se si sirven sobre son soy su sus tambien tiene tienen tengo tu un una uno unos usted ustedes venden y ya yo lugar sitio'.split(
      ' ',
    ),
  ),
  hints: ['persona', 'mensaje', 'mesa', 'horario', 'sí', 'no'],

  menu: (entries) => entries.map(({ digit, label }) => `Para ${label}, marque ${digit}.`).join(' '),
  howCanIHelp: '¿En qué le puedo ayudar?',
  askFreely: 'También puede decirme en qué le puedo ayudar.',
  anythingElse: '¿Algo más?',
  notHeard: 'Perdón, no le he oído.',
  notUnderstood: 'Perdón, no le he entendido.',
  oneMoment: 'Un momento, por favor.',
  stillThinking: 'Un poquito más, por favor.',
  transferring: 'Le comunico ahora.',
  nobodyNow: 'Lo siento, nadie puede atenderle en este momento.',
  noMessages: 'Ahora nadie puede tomar un mensaje. Llame de nuevo más tarde, por favor.',
  leaveMessage: 'Deje su nombre y su mensaje después del tono. Cuelgue cuando termine.',
  thanksForMessage: 'Gracias. Tenemos su mensaje. Adiós.',
  goodbye: 'Gracias por llamar. Adiós.',
  noPayment: 'Por favor, no diga números de tarjeta. No cobramos por teléfono. Puede pagar cuando venga.',
  noOrdersNow: 'Ahora no tomamos pedidos.',
  orderStart: 'Con gusto. ¿Qué desea pedir?',
  tableName: 'Con gusto. ¿Cómo se llama?',
  tableParty: '¿Para cuántas personas? Dígalo, o márquelo y después numeral.',
  tableTime: '¿Para qué día y a qué hora?',
  tableNumber: (isKnown) =>
    isKnown
      ? '¿Podemos llamarle al número desde el que llama? Diga sí, u otro número. También puede marcarlo con las teclas, y después numeral.'
      : '¿A qué número de teléfono podemos llamarle? Dígalo, o márquelo y después numeral.',
  tableDone: ({ name, party, wanted }) =>
    `Gracias, ${name}. He anotado una mesa para ${party}, ${wanted}. Todavía no está reservada: se la confirmaremos.`,
  whisper: 'Una llamada de la recepcionista.',
  faultTransfer: 'Tenemos un problema técnico. Le comunico ahora.',
  fault: 'Lo siento, tenemos un problema técnico. Por favor, llame más tarde.',

  time: (clock) => {
    const [hour = 0, minute = 0] = clock.split(':').map(Number)
    if (minute === 0 && hour % 24 === 0) return 'medianoche'
    if (minute === 0 && hour === 12) return 'mediodía'
    const part = hour < 12 ? 'de la mañana' : hour < 20 ? 'de la tarde' : 'de la noche'
    const said = hour % 12 === 0 ? 12 : hour % 12
    return `${said === 1 ? 'la' : 'las'} ${said}${minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`} ${part}`
  },
  span: (from, to) => `de ${from} a ${to}`,
  and: 'y',
  isOpen: (until) => (until === null ? 'Ahora está abierto.' : `Ahora está abierto, hasta ${until}.`),
  isClosed: (opens) =>
    opens === null ? 'Ahora está cerrado.' : `Ahora está cerrado. Abrimos ${opens.day} a ${opens.at}.`,
  openOn: (day, spans) => `${day[0]?.toUpperCase() ?? ''}${day.slice(1)} abrimos ${spans}.`,
  closedOn: (day) => `${day[0]?.toUpperCase() ?? ''}${day.slice(1)} está cerrado.`,
  through: (first, last) => `de ${first} a ${last}`,
  week: (parts) => `Abrimos ${parts}.`,
  today: 'hoy',
  tomorrow: 'mañana',
  on: (weekday) => `el ${weekday}`,
  onHoliday: (name) => `en ${name}`,
}
