// Words about stations: the table of stations, printers and screens, in Spanish.
import type { enStations } from './en-stations.ts'

export const esStations = {
  title: 'Estaciones',
  explain:
    'Marque dónde salen las líneas de cada estación. La primera impresora de una estación la imprime; cada otra la imprime también.',
  station: 'Estación',
  lines: 'Líneas, 7 días',
  printers: 'Impresoras',
  screens: 'Pantallas',
  noPrinters: 'Todavía no hay ninguna impresora.',
  noScreens: 'No hay pantalla de cocina: la cocina trabaja con papel.',
  none: 'Aún no hay estaciones. Agregue las de su cocina, como Plancha, Freidora, Barra. Son las estaciones que nombra su menú.',
  printsAt: (station: string, printer: string) => `${station} sale en ${printer}`,
  showsAt: (station: string, screen: string) => `${station} se ve en ${screen}`,
  rest: 'Todo lo demás',
  restHint: 'Líneas sin estación, y las de estaciones que no atiende ninguna impresora',
  takesRest: (printer: string) => `${printer} recibe todo lo demás`,
  showsAll: (screen: string) => `${screen} muestra todo`,
  all: 'muestra todo',
  byRule: 'por regla',
  withRest: 'con lo demás',
  passedOver: 'no le toca',
  add: 'Agregar estación',
  name: 'Nombre de la estación',
  nameHint: 'Como en su menú; las mayúsculas no importan',
  newHint: 'Nueva: marque una impresora o una pantalla para ella',
  forget: (name: string) => `Quitar ${name}`,
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
  noOverlap: 'no muestra nada: nadie más conoce sus estaciones',
  allPlaced: 'Cada estación tiene su sitio.',
} satisfies typeof enStations
