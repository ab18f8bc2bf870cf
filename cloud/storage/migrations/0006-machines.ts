// Sixth schema of the relay: the machine on which a gateway was first seen, and its disk. Columns are explained in ../schema.ts.

import { runs } from './run-statements.ts'

export const up = runs([`alter table gateways add column machine text`, `alter table gateways add column disk text`])
