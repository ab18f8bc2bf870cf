// Which number is wanted, as it is stored and as it is asked for: one in an area, or one that the operator has at the company.
import { z } from 'zod'
import { e164 } from './profile.ts'

export const wantedNumberSchema = z.union([
  z.strictObject({ areaCode: z.string().regex(/^[2-9]\d{2}$/, { error: 'must be an area code such as 212' }) }),
  z.strictObject({ number: e164 }),
])

export type WantedNumber = z.infer<typeof wantedNumberSchema>

/** Of a row. @throws ZodError when it is damaged */
export function wantedNumber(stored: string): WantedNumber {
  return wantedNumberSchema.parse(JSON.parse(stored))
}
