// Words about routing rules: each one as a sentence, and the choices that make it, in German.
import type { RuleParts } from '#gateway/web/admin/parts/rule-parts.ts'
import { pluralOf } from '#shared/ui/languages.ts'
import type { enRules } from './en-rules.ts'

const plural = pluralOf('de')

export const deRules = {
  title: 'Regeln',
  explain: 'Regeln kommen vor den Posten, von oben nach unten. Ohne Regeln gehen Artikel an die Drucker ihrer Posten.',
  none: 'Es gibt keine Regeln: Artikel gehen an die Drucker ihrer Posten.',
  add: 'Regel hinzufügen',
  edit: 'Ändern',
  up: 'Nach oben',
  down: 'Nach unten',
  remove: 'Entfernen',
  of: (act: string, name: string) => `${act}: ${name}`,
  removeQuestion: (name: string) => `${name} gilt ab der nächsten Bestellung nicht mehr.`,
  name: 'Name der Regel',
  nameHint: 'Steht bei jedem Bon in der Begründung',
  lines: 'Welche Artikel',
  what: {
    any: 'alle Artikel',
    station: 'Artikel eines Postens',
    category: 'Artikel einer Kategorie',
    item: 'ein einzelner Artikel',
    receipt: 'Belege von anderen Absendern',
    label: 'Etiketten von anderen Absendern',
  },
  whatOf: { station: 'Posten', category: 'Kategorie', item: 'Nummer des Artikels (umsId)' },
  orders: 'In welchen Bestellungen',
  anyType: 'jeder Art',
  // They follow "Bestellungen", in the form and in the sentence.
  orderTypes: {
    'dine-in': 'im Haus',
    takeaway: 'zum Mitnehmen',
    delivery: 'zur Lieferung',
    'drive-through': 'im Drive-in',
    catering: 'fürs Catering',
    curbside: 'ans Auto',
  },
  source: 'Herkunft (leer: jede)',
  sourceHint: 'Wie die Bestellung sie angibt, zum Beispiel kiosk',
  course: 'Gang (leer: jeder)',
  location: 'Standort (leer: jeder)',
  go: 'Sie gehen',
  also: 'auch an diese Drucker und weiter an ihren Posten',
  only: 'nur an diese Drucker: Was nach dieser Regel kommt, gilt nicht',
  to: 'An die Drucker',
  noPrinterChosen: 'Mindestens einen Drucker wählen.',
  more: 'Papier, Exemplare, Posten auf dem Bon',
  paper: 'Als',
  copies: 'Exemplare (leer: wie am Drucker eingestellt)',
  split: 'Bons',
  splits: {
    printer: 'wie am Drucker eingestellt',
    consolidated: 'einer für alle Artikel',
    'per-item': 'einer für jeden Artikel',
  },
  label: 'Posten auf dem Bon (leer: der eigene)',
  save: 'Regel speichern',
  faults: {
    gone: 'Führt nirgends hin: Ihre Drucker gibt es nicht mehr',
    'part-gone': 'Einen ihrer Drucker gibt es nicht mehr',
    never: 'Gilt nie: Eine Regel weiter oben nimmt ihr alle Artikel weg',
  },
  asText: 'Als Text',
  text: 'Regeln als JSON, von oben nach unten gefragt',
  textHint: 'Wenn die Regeln in einer Datei geführt werden. Was hier gespeichert wird, ersetzt alle Regeln.',
  sentence: sentence,
  try: {
    title: 'Mit einer Bestellung ausprobieren',
    explain: 'Wohin eine Bestellung, die schon hier war, jetzt ginge. Nichts wird gedruckt.',
    order: 'Bestellung',
    choose: 'Bestellung wählen…',
    none: 'Noch war keine Bestellung hier: ausprobieren, sobald die ersten da sind.',
    withDraft: 'Mit der Regel, wie sie im Formular steht.',
    asSaved: 'Mit den Regeln, wie sie gespeichert sind.',
    paper: (n: number, printer: string) => `Bon ${n}: ${printer}`,
    show: 'Bon von',
  },
} satisfies typeof enRules

/** Such as: Artikel des Postens Grill in Bestellungen zur Lieferung von kiosk gehen auch an Pass. */
function sentence(rule: RuleParts): string {
  const { station, category, item, client, orderType, source, course, location, copies } = rule
  const of = [
    station && `des Postens ${station}`,
    category && `der Kategorie ${category}`,
    item && `mit der Nummer ${item}`,
  ]
  const chosen = of.filter(Boolean).join(', ')
  const things = { receipt: 'Belege von anderen Absendern', label: 'Etiketten von anderen Absendern' }
  const lines = client ? things[client] : chosen === '' ? 'Alle Artikel' : `Artikel ${chosen}`
  const orders =
    orderType || source ? `in Bestellungen${orderType ? ` ${orderType}` : ''}${source ? ` von ${source}` : ''}` : ''
  const where = [course && `aus Gang ${course}`, orders, location && `am Standort ${location}`]
    .filter(Boolean)
    .join(' ')
  const paper = { kitchen: '', receipt: ' als Beleg', label: ' als Etiketten' }[client ? 'kitchen' : rule.paper]
  const how = [
    copies && plural(copies, { one: '# Exemplar', other: '# Exemplare' }),
    rule.split === 'per-item' && 'ein Bon für jeden Artikel',
    rule.split === 'consolidated' && 'ein Bon für alle Artikel',
    rule.label && `als Posten ${rule.label}`,
  ].filter(Boolean)
  const end = how.length === 0 ? '' : ` (${how.join(', ')})`
  return `${[lines, where].filter(Boolean).join(' ')} gehen ${rule.isOnly ? 'nur' : 'auch'} an ${rule.to}${paper}${end}.`
}
