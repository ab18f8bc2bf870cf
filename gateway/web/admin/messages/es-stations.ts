// Words about stations: the table of stations, printers and screens, in Spanish.
import type { enStations } from './en-stations.ts'

export const esStations = {
  title: 'Partidas',
  explain:
    'Marque dónde salen las líneas de cada partida. La primera impresora de una partida la imprime; cada otra la imprime también.',
  station: 'Partida',
  lines: 'Líneas, 7 días',
  printers: 'Impresoras',
  screens: 'Pantallas',
  noPrinters: 'Todavía no hay ninguna impresora.',
  noScreens: 'No hay pantalla de cocina: la cocina trabaja con papel.',
  none: 'Aún no hay partidas. Añada las de su cocina, como Plancha, Freidora, Barra. Son las partidas que nombra su carta.',
  printsAt: (station: string, printer: string) => `${station} sale en ${printer}`,
  showsAt: (station: string, screen: string) => `${station} se ve en ${screen}`,
  rest: 'Todo lo demás',
  restHint: 'Líneas sin partida, y las de partidas que no atiende ninguna impresora',
  takesRest: (printer: string) => `${printer} recibe todo lo demás`,
  showsAll: (screen: string) => `${screen} muestra todo`,
  all: 'muestra todo',
  byRule: 'por regla',
  withRest: 'con lo demás',
  passedOver: 'no le toca',
  add: 'Añadir partida',
  name: 'Nombre de la partida',
  nameHint: 'Como en su carta; las mayúsculas no importan',
  newHint: 'Nueva: marque una impresora o una pantalla para guardarla',
  rename: (name: string) => `Es ${name}: cambiar el nombre`,
  like: (name: string) => `¿Es ${name}?`,
  faults: {
    'no-place': (printer: string) =>
      printer === '' ? 'Sin sitio: nada la imprime' : `Sin sitio: sale en ${printer} con lo demás`,
    'no-printer': (printer: string) => `Sin impresora propia: su papel sale en ${printer}`,
    'no-screen': () => 'No se ve en ninguna pantalla',
  },
  printerFaults: { nothing: 'no recibe nada', 'passed-over': 'no recibe nada: otra impresora va antes' },
  backupOnly: 'solo de reserva',
  noOverlap: 'no muestra nada: nadie más conoce sus partidas',
  allPlaced: 'Cada partida tiene su sitio.',
} satisfies typeof enStations
