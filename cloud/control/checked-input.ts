// What comes from outside, checked at the edge: a refusal names each field and what it must be.
import type { z } from 'zod'
import { fieldMessage } from '#shared/field-message.ts'
import { fieldRule } from '#shared/field-rule.ts'
import { ControlRefusal } from './control-refusal.ts'

/** @throws ControlRefusal invalid */
export function checkedInput<S extends z.ZodType>(schema: S, raw: unknown): z.output<S> {
  const parsed = schema.safeParse(raw, { error: fieldMessage })
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.map((issue) => ({
    field: issue.path.join('.'),
    message: issue.message,
    rule: fieldRule(issue),
  }))
  throw new ControlRefusal('invalid', errors.map(({ field, message }) => `${field}: ${message}`).join('; '), { errors })
}
