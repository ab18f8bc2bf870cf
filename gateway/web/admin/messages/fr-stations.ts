// Words about stations: the table of stations, printers and screens, in French.
import type { enStations } from './en-stations.ts'

export const frStations = {
  title: 'Postes',
  explain:
    'Cochez où sortent les lignes de chaque poste. La première imprimante d’un poste les imprime ; chaque autre les imprime aussi.',
  station: 'Poste',
  lines: 'Lignes, 7 jours',
  printers: 'Imprimantes',
  screens: 'Écrans',
  noPrinters: 'Aucune imprimante n’est encore installée.',
  noScreens: 'Il n’y a pas d’écran de cuisine : la cuisine travaille sur papier.',
  none: 'Aucun poste pour l’instant. Ajoutez ceux de votre cuisine, par exemple Grill, Friture, Bar. Ce sont les postes que nomme votre carte.',
  printsAt: (station: string, printer: string) => `${station} s’imprime sur ${printer}`,
  showsAt: (station: string, screen: string) => `${station} s’affiche sur ${screen}`,
  rest: 'Tout le reste',
  restHint: 'Les lignes sans poste, et celles des postes qu’aucune imprimante ne sert',
  takesRest: (printer: string) => `${printer} prend tout le reste`,
  showsAll: (screen: string) => `${screen} affiche tout`,
  all: 'affiche tout',
  byRule: 'par une règle',
  withRest: 'avec le reste',
  passedOver: 'non utilisée',
  add: 'Ajouter un poste',
  name: 'Nom du poste',
  nameHint: 'Écrit comme sur votre carte ; les majuscules ne comptent pas',
  newHint: 'Nouveau : cochez une imprimante ou un écran pour lui',
  forget: (name: string) => `Retirer ${name}`,
  rename: (name: string) => `C’est ${name} : renommer`,
  like: (name: string) => `Est-ce ${name} ?`,
  faults: {
    'no-place': (printer: string) =>
      printer === ''
        ? 'Sans destination : rien ne l’imprime'
        : `Sans destination : il sort sur ${printer} avec le reste`,
    'no-printer': (printer: string) => `Pas d’imprimante à lui : son papier sort sur ${printer}`,
    'no-screen': () => 'Aucun écran ne l’affiche',
  },
  printerFaults: { nothing: 'ne reçoit rien', 'passed-over': 'ne reçoit rien : une autre imprimante passe avant' },
  backupOnly: 'secours seulement',
  noOverlap: 'n’affiche rien : ses postes ne sont connus nulle part ailleurs',
  allPlaced: 'Chaque poste a sa destination.',
} satisfies typeof enStations
