// Words about stations: the table of stations, printers and screens, in German.
import type { enStations } from './en-stations.ts'

export const deStations = {
  title: 'Posten',
  explain:
    'Ankreuzen, wo die Artikel jedes Postens herauskommen. Der erste Drucker eines Postens druckt sie; jeder weitere druckt sie auch.',
  station: 'Posten',
  lines: 'Artikel, 7 Tage',
  printers: 'Drucker',
  screens: 'Monitore',
  noPrinters: 'Noch kein Drucker eingerichtet.',
  noScreens: 'Es gibt keinen Küchenmonitor: Die Küche arbeitet mit Papier.',
  none: 'Noch kein Posten. Die Posten der Küche hinzufügen, zum Beispiel Grill, Fritteuse, Bar. Es sind die Posten, die in der Speisekarte hinterlegt sind.',
  printsAt: (station: string, printer: string) => `${station} an ${printer} drucken`,
  showsAt: (station: string, screen: string) => `${station} auf ${screen} zeigen`,
  rest: 'Alles andere',
  restHint: 'Artikel ohne Posten und von Posten, für die kein Drucker da ist',
  takesRest: (printer: string) => `${printer} übernimmt alles andere`,
  showsAll: (screen: string) => `${screen} zeigt alles`,
  all: 'zeigt alles',
  byRule: 'durch Regel',
  withRest: 'mit dem Rest',
  passedOver: 'übergangen',
  add: 'Posten hinzufügen',
  name: 'Name des Postens',
  nameHint: 'Geschrieben wie in der Speisekarte; Groß- und Kleinschreibung ist egal',
  newHint: 'Neu: Drucker oder Monitor dafür ankreuzen',
  forget: (name: string) => `${name} entfernen`,
  rename: (name: string) => `Es ist ${name}: umbenennen`,
  like: (name: string) => `Ist ${name} gemeint?`,
  faults: {
    'no-place': (printer: string) =>
      printer === ''
        ? 'Nicht versorgt: Nichts druckt ihn'
        : `Nicht versorgt: Er kommt mit dem Rest an ${printer} heraus`,
    'no-printer': (printer: string) => `Kein eigener Drucker: Seine Bons kommen an ${printer} heraus`,
    'no-screen': () => 'Kein Monitor zeigt ihn',
  },
  printerFaults: { nothing: 'bekommt nichts', 'passed-over': 'bekommt nichts: Ein anderer Drucker kommt vor ihm' },
  backupOnly: 'nur Ersatz',
  noOverlap: 'zeigt nichts: Niemand sonst kennt seine Posten',
  allPlaced: 'Jeder Posten ist versorgt.',
} satisfies typeof enStations
