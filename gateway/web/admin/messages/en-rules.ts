// Words about routing rules: each one as a sentence, and the choices that make it, in English.
import type { RuleParts } from '#gateway/web/admin/parts/rule-parts.ts'
import { pluralOf } from '#shared/ui/languages.ts'

const plural = pluralOf('en')

export const enRules = {
  title: 'Rules',
  explain:
    'Rules come before the stations, from top to bottom. Without rules, lines go to the printers of their stations.',
  none: 'There are no rules: lines go to the printers of their stations.',
  add: 'Add rule',
  edit: 'Change',
  up: 'Up',
  down: 'Down',
  remove: 'Remove',
  of: (act: string, name: string) => `${act}: ${name}`,
  removeQuestion: (name: string) => `${name} no longer applies from the next order on.`,
  name: 'Name of the rule',
  nameHint: 'It is shown in the reasons of each ticket',
  lines: 'Which lines',
  what: {
    any: 'every line',
    station: 'lines of a station',
    category: 'lines of a category',
    item: 'one item',
    receipt: 'receipts that others send',
    label: 'labels that others send',
  },
  whatOf: { station: 'Station', category: 'Category', item: 'Number of the item (umsId)' },
  orders: 'In which orders',
  anyType: 'of any type',
  orderTypes: {
    'dine-in': 'dine-in',
    takeaway: 'to-go',
    delivery: 'delivery',
    'drive-through': 'drive-through',
    catering: 'catering',
    curbside: 'curbside',
  },
  source: 'From (empty: from anywhere)',
  sourceHint: 'As the order says it, such as kiosk',
  course: 'Course (empty: any)',
  location: 'Location (empty: any)',
  go: 'Go',
  also: 'also to these printers, and on to their station',
  only: 'only to these printers: no later rule applies',
  to: 'To printers',
  noPrinterChosen: 'Choose at least one printer.',
  more: 'Paper, copies, station on the ticket',
  paper: 'As',
  copies: 'Copies (empty: as the printer is set)',
  split: 'Tickets',
  splits: { printer: 'as the printer is set', consolidated: 'one for all lines', 'per-item': 'one for each line' },
  label: 'Station on the ticket (empty: as it is)',
  save: 'Save rule',
  faults: {
    gone: 'Sends nowhere: its printers are gone',
    'part-gone': 'One of its printers is gone',
    never: 'Never applies: a rule above it takes all its lines',
  },
  asText: 'As text',
  text: 'Rules as JSON, asked from top to bottom',
  textHint: 'For those who keep rules in a file. What is saved here replaces all rules.',
  sentence: sentence,
  try: {
    title: 'Try it on an order',
    explain: 'Where an order that was here would go now. Nothing prints.',
    order: 'Order',
    choose: 'Choose an order…',
    none: 'No order was here yet: try it when the first ones have come.',
    withDraft: 'With the rule as it is in the form.',
    asSaved: 'With the rules as they are saved.',
    paper: (n: number, printer: string) => `Ticket ${n}: ${printer}`,
    show: 'Paper of',
  },
}

/** Such as: Lines of station Grill in delivery orders from kiosk also go to Pass. */
function sentence(rule: RuleParts): string {
  const { station, category, item, client, orderType, source, course, location } = rule
  const of = [station && `of station ${station}`, category && `of category ${category}`, item && `of item ${item}`]
  const chosen = of.filter(Boolean).join(', ')
  const things = { receipt: 'Receipts that others send', label: 'Labels that others send' }
  const lines = client ? things[client] : chosen === '' ? 'All lines' : `Lines ${chosen}`
  const orders =
    orderType || source ? `in ${orderType ? `${orderType} ` : ''}orders${source ? ` from ${source}` : ''}` : ''
  const where = [course && `of course ${course}`, orders, location && `at location ${location}`]
    .filter(Boolean)
    .join(' ')
  const paper = { kitchen: '', receipt: ' as a receipt', label: ' as labels' }[client ? 'kitchen' : rule.paper]
  const how = [
    rule.copies && plural(rule.copies, { one: '# copy', other: '# copies' }),
    rule.split === 'per-item' && 'a ticket for each line',
    rule.split === 'consolidated' && 'one ticket for all lines',
    rule.label && `as station ${rule.label}`,
  ].filter(Boolean)
  const end = how.length === 0 ? '' : ` (${how.join(', ')})`
  return `${[lines, where].filter(Boolean).join(' ')} ${rule.isOnly ? 'go only' : 'also go'} to ${rule.to}${paper}${end}.`
}
