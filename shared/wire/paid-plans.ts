// The plans that cost something. Without zod: the dashboard's page has them too.
export const PAID_PLANS = ['starter', 'growth', 'enterprise'] as const
export type PaidPlan = (typeof PAID_PLANS)[number]
