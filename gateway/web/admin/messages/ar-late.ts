// Words of when an order is late, in Arabic.
import type { enLate } from './en-late.ts'

export const arLate = {
  title: 'متى يتأخر الطلب',
  /** @param others types that are late at another minute, or nothing */
  state: (usual: number, others: string) => `بعد هذا العدد من الدقائق: ${usual}${others === '' ? '' : `. ${others}`}`,
  explain:
    'تتبعها كل شاشة ليست لها دقائق خاصة، ويتبعها التقرير. فارغ: الدقائق المكتوبة هناك بالرمادي. والطلب الذي له موعد موعود يتأخر بعد ذلك الموعد.',
  usual: 'الطلبات الأخرى',
  soonAfter: 'قريب من التأخر بعد، بالدقائق',
  lateAfter: 'متأخر بعد، بالدقائق',
} satisfies typeof enLate
