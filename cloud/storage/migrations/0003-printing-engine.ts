// Third schema of the relay: what routing rules of a kitchen go by. Columns are explained in ../schema.ts.

import { runs } from './run-statements.ts'

export const up = runs(['alter table catalog_items add column category text'])
