// Words about routing rules: each one as a sentence, and the choices that make it, in Spanish.
import type { RuleParts } from '#gateway/web/admin/parts/rule-parts.ts'
import { pluralOf } from '#shared/ui/languages.ts'
import type { enRules } from './en-rules.ts'

const plural = pluralOf('es')

export const esRules = {
  title: 'Reglas',
  explain:
    'Las reglas van antes que las estaciones, de arriba abajo. Sin reglas, las líneas salen en las impresoras de sus estaciones.',
  none: 'No hay reglas: las líneas salen en las impresoras de sus estaciones.',
  add: 'Agregar regla',
  edit: 'Cambiar',
  up: 'Subir',
  down: 'Bajar',
  remove: 'Quitar',
  of: (act: string, name: string) => `${act}: ${name}`,
  removeQuestion: (name: string) => `${name} deja de aplicarse a partir del próximo pedido.`,
  name: 'Nombre de la regla',
  nameHint: 'Aparece en los motivos de cada ticket',
  lines: 'Qué líneas',
  what: {
    any: 'todas las líneas',
    station: 'líneas de una estación',
    category: 'líneas de una categoría',
    item: 'un artículo',
    receipt: 'recibos que envían otros',
    label: 'etiquetas que envían otros',
  },
  whatOf: { station: 'Estación', category: 'Categoría', item: 'Número del artículo (umsId)' },
  orders: 'En qué pedidos',
  anyType: 'de cualquier tipo',
  orderTypes: {
    'dine-in': 'en mesa',
    takeaway: 'para llevar',
    delivery: 'a domicilio',
    'drive-through': 'en auto',
    catering: 'de catering',
    curbside: 'con entrega en auto',
  },
  source: 'De (vacío: de cualquier origen)',
  sourceHint: 'Como lo dice el pedido, por ejemplo kiosk',
  course: 'Tiempo (vacío: cualquiera)',
  location: 'Local (vacío: cualquiera)',
  go: 'Salen',
  also: 'también en estas impresoras, y además en su estación',
  only: 'solo en estas impresoras: no se aplica ninguna regla posterior',
  to: 'En las impresoras',
  noPrinterChosen: 'Elija al menos una impresora.',
  more: 'Papel, copias, estación en el ticket',
  paper: 'Como',
  copies: 'Copias (vacío: como diga la impresora)',
  split: 'Tickets',
  splits: { printer: 'como diga la impresora', consolidated: 'uno para todas las líneas', 'per-item': 'uno por línea' },
  label: 'Estación en el ticket (vacío: la suya)',
  save: 'Guardar regla',
  faults: {
    gone: 'No llega a nada: sus impresoras ya no están',
    'part-gone': 'Una de sus impresoras ya no está',
    never: 'Nunca se aplica: una regla de más arriba se queda con todo lo que pide',
  },
  asText: 'Como texto',
  text: 'Reglas en JSON, de arriba abajo',
  textHint: 'Para quien guarda las reglas en un archivo. Lo que se guarda aquí sustituye a todas.',
  sentence: sentence,
  try: {
    title: 'Pruébelo con un pedido',
    explain: 'Dónde saldría ahora un pedido que ya estuvo aquí. No se imprime nada.',
    order: 'Pedido',
    choose: 'Elija un pedido…',
    none: 'Aún no ha llegado ningún pedido: pruébelo cuando lleguen los primeros.',
    withDraft: 'Con la regla tal como está en el formulario.',
    asSaved: 'Con las reglas guardadas.',
    paper: (n: number, printer: string) => `Ticket ${n}: ${printer}`,
    show: 'Papel de',
  },
} satisfies typeof enRules

/** Such as: Las líneas de la estación Plancha en pedidos a domicilio de kiosk salen también en Pase. */
function sentence(rule: RuleParts): string {
  const { station, category, item, client, orderType, source, course, location } = rule
  const of = [
    station && `de la estación ${station}`,
    category && `de la categoría ${category}`,
    item && `del artículo ${item}`,
  ]
  const chosen = of.filter(Boolean).join(', ')
  const things = { receipt: 'Los recibos que envían otros', label: 'Las etiquetas que envían otros' }
  const lines = client ? things[client] : chosen === '' ? 'Todas las líneas' : `Las líneas ${chosen}`
  const orders =
    orderType || source ? `en pedidos${orderType ? ` ${orderType}` : ''}${source ? ` de ${source}` : ''}` : ''
  const where = [course && `del tiempo ${course}`, orders, location && `en el local ${location}`]
    .filter(Boolean)
    .join(' ')
  const paper = { kitchen: '', receipt: ' como recibo', label: ' como etiquetas' }[client ? 'kitchen' : rule.paper]
  const how = [
    rule.copies && plural(rule.copies, { one: '# copia', other: '# copias' }),
    rule.split === 'per-item' && 'un ticket por línea',
    rule.split === 'consolidated' && 'un ticket para todas las líneas',
    rule.label && `como estación ${rule.label}`,
  ].filter(Boolean)
  const end = how.length === 0 ? '' : ` (${how.join(', ')})`
  return `${[lines, where].filter(Boolean).join(' ')} salen ${rule.isOnly ? 'solo' : 'también'} en ${rule.to}${paper}${end}.`
}
