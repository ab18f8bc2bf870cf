// What a sentence about a routing rule is made of; each language puts it together in its own order.

/** Names are from outside and isolated from the text around them. Undefined: the rule does not ask for it. */
export interface RuleParts {
  station: string | undefined
  category: string | undefined
  item: string | undefined
  /** What a client sends as a receipt or label; undefined: lines of orders. */
  client: 'receipt' | 'label' | undefined
  /** In the language of the page. */
  orderType: string | undefined
  source: string | undefined
  course: number | undefined
  location: string | undefined
  /** Printers by name. */
  to: string
  paper: 'kitchen' | 'receipt' | 'label'
  isOnly: boolean
  copies: number | undefined
  split: 'consolidated' | 'per-item' | undefined
  /** The station's name on the ticket. */
  label: string | undefined
}
