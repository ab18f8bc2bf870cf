// What each operation answers. Types alone: the dashboard's page reads them.
import type { EventAnswers } from './event-list.ts'
import type { KeyAnswers } from './key-list.ts'
import type { WebhookAnswers } from './webhook-list.ts'

export interface OperationAnswers extends KeyAnswers, WebhookAnswers, EventAnswers {}
