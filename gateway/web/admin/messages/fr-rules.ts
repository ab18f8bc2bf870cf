// Words about routing rules: each one as a sentence, and the choices that make it, in French.
import type { RuleParts } from '#gateway/web/admin/parts/rule-parts.ts'
import { pluralOf } from '#shared/ui/languages.ts'
import type { enRules } from './en-rules.ts'

const plural = pluralOf('fr')

export const frRules = {
  title: 'Règles',
  explain:
    'Les règles passent avant les postes, de haut en bas. Sans règle, les lignes vont aux imprimantes de leurs postes.',
  none: 'Il n’y a pas de règle : les lignes vont aux imprimantes de leurs postes.',
  add: 'Ajouter une règle',
  edit: 'Modifier',
  up: 'Monter',
  down: 'Descendre',
  remove: 'Retirer',
  of: (act: string, name: string) => `${act} : ${name}`,
  removeQuestion: (name: string) => `${name} ne compte plus à partir de la prochaine commande.`,
  name: 'Nom de la règle',
  nameHint: 'Il figure dans les raisons de chaque bon',
  lines: 'Quelles lignes',
  what: {
    any: 'toutes les lignes',
    station: 'lignes d’un poste',
    category: 'lignes d’une catégorie',
    item: 'un article',
    receipt: 'tickets de caisse envoyés par d’autres',
    label: 'étiquettes envoyées par d’autres',
  },
  whatOf: { station: 'Poste', category: 'Catégorie', item: 'Numéro de l’article (umsId)' },
  orders: 'Dans quelles commandes',
  anyType: 'de tout type',
  orderTypes: {
    'dine-in': 'sur place',
    takeaway: 'à emporter',
    delivery: 'en livraison',
    'drive-through': 'au drive',
    catering: 'traiteur',
    curbside: 'à retirer en voiture',
  },
  source: 'Origine (vide : toutes)',
  sourceHint: 'Comme l’indique la commande, par exemple kiosk',
  course: 'Suite (vide : toutes)',
  location: 'Établissement (vide : tous)',
  go: 'Elles sortent',
  also: 'aussi sur ces imprimantes, et en plus à leur poste',
  only: 'seulement sur ces imprimantes : rien après cette règle ne compte',
  to: 'Sur les imprimantes',
  noPrinterChosen: 'Choisissez au moins une imprimante.',
  more: 'Papier, exemplaires, poste sur le bon',
  paper: 'Imprimer comme',
  copies: 'Exemplaires (vide : comme l’imprimante est réglée)',
  split: 'Bons',
  splits: {
    printer: 'comme l’imprimante est réglée',
    consolidated: 'un pour toutes les lignes',
    'per-item': 'un par ligne',
  },
  label: 'Poste sur le bon (vide : le sien)',
  save: 'Enregistrer la règle',
  faults: {
    gone: 'N’envoie nulle part : ses imprimantes n’existent plus',
    'part-gone': 'Une de ses imprimantes n’existe plus',
    never: 'Ne s’applique jamais : une règle placée avant prend tout ce qu’elle demande',
  },
  asText: 'En texte',
  text: 'Règles en JSON, lues de haut en bas',
  textHint: 'Pour qui garde ses règles dans un fichier. Ce qui est enregistré ici remplace toutes les règles.',
  sentence: sentence,
  try: {
    title: 'Essayer sur une commande',
    explain: 'Où irait maintenant une commande déjà passée ici. Rien ne s’imprime.',
    order: 'Commande',
    choose: 'Choisir une commande…',
    none: 'Aucune commande n’est encore passée ici : essayez quand les premières seront arrivées.',
    withDraft: 'Avec la règle telle qu’elle est dans le formulaire.',
    asSaved: 'Avec les règles enregistrées.',
    paper: (n: number, printer: string) => `Bon ${n} : ${printer}`,
    show: 'Papier de',
  },
} satisfies typeof enRules

/** Such as: Les lignes du poste Grill dans les commandes en livraison venant de kiosk sortent aussi sur Passe. */
function sentence(rule: RuleParts): string {
  const { station, category, item, client, orderType, source, course, location } = rule
  const of = [
    station && `du poste ${station}`,
    category && `de la catégorie ${category}`,
    item && `de l’article ${item}`,
  ]
  const chosen = of.filter(Boolean).join(', ')
  const things = {
    receipt: 'Les tickets de caisse envoyés par d’autres',
    label: 'Les étiquettes envoyées par d’autres',
  }
  const lines = client ? things[client] : chosen === '' ? 'Toutes les lignes' : `Les lignes ${chosen}`
  const orders =
    orderType || source
      ? `dans les commandes${orderType ? ` ${orderType}` : ''}${source ? ` venant de ${source}` : ''}`
      : ''
  const where = [course && `de la suite ${course}`, orders, location && `dans l’établissement ${location}`]
    .filter(Boolean)
    .join(' ')
  const paper = { kitchen: '', receipt: ' comme tickets de caisse', label: ' comme étiquettes' }[
    client ? 'kitchen' : rule.paper
  ]
  const how = [
    rule.copies && plural(rule.copies, { one: '# exemplaire', other: '# exemplaires' }),
    rule.split === 'per-item' && 'un bon par ligne',
    rule.split === 'consolidated' && 'un bon pour toutes les lignes',
    rule.label && `comme poste ${rule.label}`,
  ].filter(Boolean)
  const end = how.length === 0 ? '' : ` (${how.join(', ')})`
  return `${[lines, where].filter(Boolean).join(' ')} sortent ${rule.isOnly ? 'seulement' : 'aussi'} sur ${rule.to}${paper}${end}.`
}
