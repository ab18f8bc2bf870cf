// Eighth schema of the relay: how a gateway routes lines where its rules ask for more than the station, and by which printers an order came beside its proof. Columns are explained in ../schema.ts.

import { runs } from './run-statements.ts'

export const up = runs([`alter table gateways add column routing text`, `alter table orders add column came_by text`])
