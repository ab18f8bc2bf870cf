// What each operation answers. Types alone: the dashboard's page reads them.
import type { KeyAnswers } from './key-list.ts'

export interface OperationAnswers extends KeyAnswers {}
