// The page's words in Spanish.
import type { BackupHolds } from '#gateway/control/backup-answers.ts'
import type { Messages } from './en.ts'
import { esCheck } from './es-check.ts'
import { esFigures } from './es-figures.ts'
import { esFolds } from './es-folds.ts'
import { esHealth } from './es-health.ts'
import { esJob } from './es-job.ts'
import { esLate } from './es-late.ts'
import { esOrders, esReport } from './es-orders.ts'
import { esPrinter } from './es-printer.ts'
import { esRefusals } from './es-refusals.ts'
import { esRules } from './es-rules.ts'
import { esStations } from './es-stations.ts'
import { esTestOrder } from './es-test-order.ts'
import { esWizard } from './es-wizard.ts'

export const es = {
  common: {
    colon: ': ',
    comma: ', ',
    cancel: 'Cancelar',
    close: 'Cerrar',
    done: 'Hecho.',
    loading: 'Cargando',
    never: 'nunca',
    none: 'ninguno',
    notFound: 'En esta dirección no hay nada',
    save: 'Guardar',
    saved: 'Guardado.',
    showPassword: 'Mostrar contraseña',
    changed: (when: string) => `cambió ${when}`,
    tryAgain: 'Intentar de nuevo',
  },
  nav: {
    menu: 'Páginas',
    skip: 'Ir al contenido',
    overview: 'Resumen',
    printers: 'Impresoras',
    jobs: 'Tickets',
    orders: 'Pedidos',
    report: 'Informe',
    repairs: 'Averías',
    displays: 'Pantallas',
    routing: 'Estaciones y reparto',
    settings: 'Ajustes',
    users: 'Personas',
    logs: 'Registro',
    care: 'Copia y soporte',
  },
  live: {
    live: 'En vivo',
    waiting: 'Conectando',
    silent: 'Sin conexión',
    silentHint:
      'El equipo Ticketrail no responde. Lo que se ve aquí puede ser antiguo. Compruebe que está encendido y que este dispositivo está en su red; la página lo intenta de nuevo sola.',
  },
  problem: { title: 'No funcionó' },
  refusals: esRefusals,
  folds: esFolds,
  late: esLate,
  signIn: {
    title: 'Entrar',
    name: 'Nombre',
    password: 'Contraseña',
    signIn: 'Entrar',
    signOut: 'Salir',
    forgotten:
      '¿Olvidó la contraseña? Un técnico puede poner otra en Personas. En el propio equipo: ticketrail-gateway admin reset.',
  },
  overview: {
    lastTickets: 'Últimos tickets',
    allTickets: 'Todos los tickets',
    queue: 'Cola',
    waiting: 'por imprimir',
    held: 'para más tarde',
    parked: 'esperan una decisión',
    unreported: 'resultados por enviar',
  },
  figures: esFigures,
  link: {
    title: 'Servidor',
    connected: 'Conectado',
    trying: 'Conectando',
    connecting: 'Sin conexión',
    connectingHint:
      'Los pedidos nuevos llegan cuando vuelva la conexión. Si dura, compruebe internet. Lo que ya está aquí se imprime.',
    unpaired: 'Sin vincular',
    unpairedHint:
      'Este equipo Ticketrail aún no pertenece a ningún restaurante: no llegan pedidos. Impresoras y pantallas funcionan sin ello.',
    unusable: 'La vinculación no sirve',
    unusableHint: 'Vincule este equipo de nuevo con otro código de vinculación. Lo que ya está aquí se imprime.',
  },
  paper: { kitchen: 'Tickets de cocina', receipt: 'Recibos', label: 'Etiquetas' },
  printers: { add: 'Agregar impresora', none: 'Aún no hay ninguna impresora.' },
  find: {
    title: 'Buscar impresoras en la red',
    byAddress: 'Agregar por dirección',
    start: 'Buscar impresoras',
    stop: 'Parar',
    running: 'Buscando…',
    nothing:
      'No se encontró ninguna impresora. ¿Está encendida y en la misma red? Las de otra red (VLAN) no se pueden encontrar: agréguelas por dirección.',
    unknownModel: 'Impresora desconocida',
    newName: 'Impresora',
    add: 'Agregar',
    addedAs: (name: string) => `Agregada como ${name}.`,
    known: (name: string) => `Ya es ${name}`,
  },
  printer: esPrinter,
  jobs: {
    printer: 'Impresora',
    state: 'Estado',
    all: 'Todos',
    none: 'No hay tickets.',
    why: '¿Por qué no se imprimió?',
    newer: 'Más nuevos',
    older: 'Más antiguos',
  },
  job: esJob,
  orders: esOrders,
  report: esReport,
  courses: {
    title: 'Tiempos en espera',
    name: (order: string, course: number) => `Pedido ${order}, tiempo ${course}`,
    fire: 'Marchar',
    fireOf: (order: string, course: number) => `Marchar el tiempo ${course} del pedido ${order}`,
  },
  testOrder: esTestOrder,
  health: esHealth,
  displays: {
    name: 'Nombre',
    kind: 'Para qué sirve',
    kinds: {
      station: 'Estación: prepara lo de sus estaciones',
      expo: 'Pase: ve todos los pedidos y los entrega',
      runner: 'Runner: saca lo que está listo',
      'pick-up': 'Tablero de recogida: muestra los números',
    },
    kindHints: {
      station: '',
      expo: '',
      runner: 'Muestra solo lo que está listo. Puede marcar un pedido como recogido y deshacerlo.',
      'pick-up': 'Dos columnas, en preparación y listo, sin tocar. Los pedidos con mesa no aparecen.',
    },
    showNames: 'Mostrar nombres de pila junto a los números',
    showNamesHint: 'Sin esto el tablero solo recibe números.',
    showsNames: 'Nombres de pila junto a los números',
    add: 'Agregar pantalla',
    none: 'Aún no hay pantallas. Sirve cualquier tableta con navegador.',
    whichStations: '¿Qué estaciones muestra?',
    noScreenYet: 'aún sin pantalla',
    anotherStation: 'Otra estación…',
    anotherHint: 'Escrita como en la carta; varias, separadas por comas',
    backup: 'Imprime en su lugar si la pantalla no responde',
    backupHint: 'Los tickets que nadie ha visto salen allí, marcados SCREEN OFFLINE',
    noBackup: 'Nada imprime en su lugar',
    buzzAfter: 'Su zumbador suena tras estos segundos',
    buzzAfterHint: 'De 10 a 3600, cuando nadie ha mirado un pedido en la pantalla; vacío: nunca',
    backupIs: (name: string) => `${name} imprime en su lugar si no responde`,
    scan: 'Escanee esto con la tableta, en la misma red:',
    qr: 'Dirección de la pantalla como código QR',
    codeUntil: (when: string) => `Sirve una vez, hasta las ${when}.`,
    localAddress:
      'Esta página se abrió con una dirección que solo conoce este equipo. Ábrala con su dirección IP para que el código sirva a la tableta. Si ahí no responde, ponga GATEWAY_HTTP_HOST=0.0.0.0 en este equipo.',
    notYet: 'Espera a su tableta',
    alive: 'Conectada',
    onShift: 'Conectada, turno empezado',
    silent: 'Sin señal: encienda la tableta o entre con un código nuevo',
    edit: 'Cambiar',
    lastHeard: (when: string) => `última señal ${when}`,
    notHeard: 'sin señal desde que arrancó el equipo',
    speaks: (language: string) => `Idioma: ${language}`,
    newCode: 'Código nuevo',
    remove: 'Quitar pantalla',
    removeQuestion: (name: string) => `${name} queda desconectada al momento.`,
  },
  logo: {
    title: 'Imagen en los recibos',
    explain:
      'Un PNG, dibujado en blanco y negro tan ancho como el papel permita. Oscuro sobre blanco se imprime mejor.',
    none: 'Los recibos no llevan imagen.',
    file: 'Archivo PNG',
    put: 'Usar esta imagen',
    tooBig: 'El archivo ocupa más de 512 kB: hágalo más pequeño.',
    size: (width: number, height: number) => `Ocupa ${width} por ${height} puntos en papel ancho.`,
    remove: 'Quitar imagen',
    removeQuestion: 'Desde ahora los recibos no llevan imagen.',
  },
  routing: {
    paste: 'Un pedido en JSON',
    whatIf: 'Qué pasaría',
    pasteHint: 'Como lo envía el servidor; lo que no decide el camino puede faltar. No se imprime nada.',
    badJson: 'Esto no es JSON: revise comas y comillas.',
    ask: '¿Adónde iría?',
    printsNow: 'Se imprimiría al momento.',
    printsLater: 'No se imprimiría al momento, o no todo.',
  },
  settings: {
    box: 'Este equipo Ticketrail',
    name: 'Nombre del restaurante',
    nameHint: 'Como aparece arriba en esta página',
    timeZone: 'Zona horaria',
    timeZoneHint: 'Por ejemplo Europe/Madrid: las horas de los tickets son locales',
    relayZone: (zone: string) =>
      `La cuenta del restaurante dice ${zone}: con otra zona aquí, las horas en papel y pantallas no son las del restaurante.`,
    browserZone: (zone: string) => `Este dispositivo está en ${zone}. Lo que cuenta es dónde está el restaurante.`,
    boxLanguage: 'Idioma del equipo',
    language: 'Idioma',
    colours: 'Colores',
    schemes: { auto: 'Como el dispositivo', light: 'Claro', dark: 'Oscuro' },
    password: 'Su contraseña',
    currentPassword: 'Contraseña actual',
    newPassword: 'Contraseña nueva',
    ownPassword: 'Su propia contraseña',
    ownPasswordHint: 'Otra vez, porque esto decide quién puede entrar',
    passwordHint: (n: number) =>
      `Al menos ${n} caracteres. Unas palabras que no vayan juntas sirven bien; las fáciles se rechazan.`,
    changePassword: 'Cambiar contraseña',
    passwordChanged: 'Cambiada. Los demás navegadores quedan fuera.',
    about: 'Acerca de',
    version: 'Versión',
    gatewayId: 'Número del equipo',
    address: 'Dirección de esta página',
    certificate: 'Certificado de esta página, SHA-256',
  },
  pairing: {
    title: 'Vinculación',
    explain:
      'El código de vinculación viene del panel del restaurante. Sin él todo funciona en esta red, pero no llegan pedidos.',
    code: 'Código de vinculación',
    codeHint: 'Sirve una vez, durante 15 minutos',
    relay: 'Dirección del servidor',
    relayHint: 'Solo si le dieron una',
    pair: 'Vincular',
    paired: 'Vinculado.',
    belongsTo: (name: string) => `Este equipo pertenece a ${name}.`,
    unpair: 'Dejar este restaurante',
    unpairQuestion: 'No llegan más pedidos hasta que se vincule otra vez. Impresoras y tickets se quedan.',
  },
  users: {
    explain: 'Los encargados atienden impresoras, tickets y pantallas. Los técnicos pueden todo.',
    add: 'Agregar persona',
    role: 'Función',
    roles: { technician: 'Técnico', manager: 'Encargado' },
    you: 'es usted',
    since: (when: string) => `desde ${when}`,
    remove: 'Quitar persona',
    removeQuestion: (name: string) => `${name} queda fuera al momento y ya no puede entrar.`,
    changeRole: 'Cambiar función',
    changeRoleQuestion: (name: string) => `${name} queda fuera, y entra con la nueva función.`,
    setPassword: 'Poner contraseña nueva',
    setPasswordQuestion: (name: string) => `${name} queda fuera, y entra con la nueva contraseña.`,
    of: (act: string, name: string) => `${act}: ${name}`,
  },
  logs: {
    level: 'Desde el nivel',
    levels: { debug: 'Detalle', info: 'Información', warn: 'Aviso', error: 'Error', fatal: 'Fallo' },
    search: 'Buscar',
    none: 'No hay líneas.',
    newest: 'Más nuevas',
  },
  care: {
    diagnostics: 'Diagnóstico',
    diagnosticsHint:
      'Un archivo para soporte: estado, ajustes y registro de este equipo. Sin contraseñas, claves ni clientes.',
    saveDiagnostics: 'Guardar diagnóstico',
    backup: 'Copia de seguridad',
    backupHint:
      'Impresoras, reparto, personas y ajustes en un archivo, cerrado con una frase de acceso. No contiene pedidos. Sin la frase nadie puede abrirlo, ni usted: guárdela aparte del archivo.',
    saveBackup: 'Guardar copia',
    saved: (file: string) => `Guardado como ${file}. Contiene:`,
    holds: ({ printers, people, rules, hasLogo }: BackupHolds) => {
      const some = (n: number, { one, several, none }: { one: string; several: string; none: string }) =>
        n === 0 ? none : `${n} ${n === 1 ? one : several}`
      const parts = [
        some(printers, { one: 'impresora', several: 'impresoras', none: 'ninguna impresora' }),
        some(people, { one: 'persona', several: 'personas', none: 'ninguna persona' }),
        some(rules, { one: 'regla', several: 'reglas', none: 'ninguna regla' }),
      ]
      return `${parts.join(', ')}, ${hasLogo ? 'una imagen' : 'ninguna imagen'}.`
    },
    ownPasswordHint: 'Otra vez, porque la copia se lleva a las personas y sus contraseñas',
    restore: 'Restaurar',
    restoreHint:
      'Muestra primero lo que traería una copia, también en otro equipo. Este equipo conserva su identidad, sus tickets y sus personas.',
    file: 'Archivo de copia',
    passphrase: 'Frase de acceso',
    passphraseHint: (n: number) => `Al menos ${n} caracteres: varias palabras que no vayan juntas.`,
    passphraseAgain: 'Frase de acceso otra vez',
    isPlain: 'Este archivo no tiene frase de acceso: lo hizo una versión anterior, y sé de dónde viene',
    look: 'Mostrar lo que traería',
    preview: (when: string, app: string) => `Hecha ${when} por ${app}.`,
    unprotected: 'El archivo no está protegido: cualquiera pudo cambiarlo. Mírelo bien. No trae personas.',
    standings: {
      new: 'nueva',
      changed: 'cambia',
      same: 'como está',
      here: 'ya está aquí, conserva contraseña y función',
    },
    rules: (names: readonly string[], replaced: number) => {
      if (names.length === 0)
        return replaced === 0
          ? 'Reglas de reparto: ninguna, ni aquí ni en la copia.'
          : `Reglas de reparto: la copia no tiene ninguna; se quitan las de este equipo (${replaced}).`
      const instead = replaced === 0 ? '.' : `, en lugar de las de este equipo (${replaced}).`
      return `Reglas de reparto: ${names.join(', ')}${instead}`
    },
    changes: {
      name: (after: string, before: string) => `Nombre: ${after}${before && ` en lugar de ${before}`}.`,
      timeZone: (after: string, before: string) => `Zona horaria: ${after}${before && ` en lugar de ${before}`}.`,
      language: (after: string, before: string) => `Idioma: ${after} en lugar de ${before}.`,
    },
    settingsStay: 'Nombre, zona horaria e idioma se quedan como están.',
    lateMinutes: 'Minutos tras los que un pedido va tarde: como en el archivo.',
    logo: 'Se sustituye la imagen de los recibos.',
    logoStays: 'La imagen de los recibos se queda como está.',
    people: 'Quién viene también',
    peopleHint: 'Nadie a quien usted no marque. Entran aquí con la contraseña que tienen allí.',
    nobody: 'El archivo no contiene personas.',
    restored: (printers: number, rules: number, users: number) =>
      `Recuperado: impresoras ${printers}, reglas ${rules}, personas ${users}.`,
  },
  wizard: esWizard,
  stations: esStations,
  rules: esRules,
  check: esCheck,
} satisfies Messages
