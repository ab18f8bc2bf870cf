// Words about the box itself, in Arabic.
import { pluralOf } from '#shared/ui/languages.ts'
import type { enFigures } from './en-figures.ts'

const plural = pluralOf('ar')

export const arFigures = {
  latency: 'من الطلب إلى الورق',
  lastHours: 'المدة',
  hours: (n: number) =>
    plural(n, {
      one: 'آخر ساعة',
      two: 'آخر ساعتين',
      few: 'آخر # ساعات',
      other: 'آخر # ساعة',
    }),
  nothingPrinted: (n: number) =>
    plural(n, {
      one: 'لم يُطبع أي طلب في آخر ساعة.',
      two: 'لم يُطبع أي طلب في آخر ساعتين.',
      few: 'لم يُطبع أي طلب في آخر # ساعات.',
      other: 'لم يُطبع أي طلب في آخر # ساعة.',
    }),
  latencySummary: (half: string, nearlyAll: string, tickets: number) =>
    `النصف خلال ${half}، و19 من كل 20 خلال ${nearlyAll} (${plural(tickets, { one: 'تذكرة واحدة', two: 'تذكرتان', few: '# تذاكر', other: '# تذكرة' })})`,
  half: 'النصف',
  nearlyAll: '19 من 20',
  box: 'الجهاز المركزي',
  disk: 'القرص',
  free: (free: string, total: string) => `${free} خالية من ${total}`,
  memory: 'الذاكرة',
  of: (used: string, limit: string) => `${used} من ${limit}`,
  temperature: 'الحرارة',
  wear: 'البطاقة',
  worn: (percent: number) => `استُهلك من عمرها حتى \u2066${percent}%\u2069`,
  clock: 'الساعة',
  clockRight: (apart: string) => `صحيحة (الفرق عن الخادم ${apart})`,
  clockBehind: (apart: string) => `متأخرة ${apart} عن الخادم`,
  clockAhead: (apart: string) => `متقدمة ${apart} على الخادم`,
  clockRestored: (apart: string) => `كانت متأخرة ${apart} عند التشغيل: تُكمل من آخر وقت معروف`,
  clockUnchecked: 'لم تُقارن: لم يرد الخادم بعد',
  notTold: 'هذا الجهاز لا يذكرها',
  notToldCard: 'هذه البطاقة لا تذكر استهلاكها',
} satisfies typeof enFigures
