// Seventh schema of the relay: how the stations of a gateway can be served and how well it is, and which screens have shown an order. Columns are explained in ../schema.ts.

import { runs } from './run-statements.ts'

export const up = runs([
  `alter table gateways add column stations text`,
  `alter table gateways add column health text`,
  `alter table printers add column stand_in text`,
  `alter table orders add column shown_on text`,
])
