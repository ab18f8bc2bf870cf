// The parts of the settings page, with a one-line state of each, in Arabic.
import { pluralOf } from '#shared/ui/languages.ts'
import type { enFolds } from './en-folds.ts'

const plural = pluralOf('ar')

export const arFolds = {
  name: 'الاسم والوقت واللغة',
  pairing: 'المطعم',
  https: 'اتصال مشفّر \u2066(https)\u2069',
  httpsStates: {
    off: 'متوقف',
    starting: 'يبدأ الآن',
    on: 'يعمل',
    failed: 'لا يعمل',
  },
  until: (date) => `الشهادة حتى ${date}`,
  sources: {
    'self-signed': 'أنشأها الجهاز المركزي بنفسه: المتصفح يحذّر مرة واحدة',
    provided: 'وضعها مالك الجهاز المركزي',
  },
  source: 'الشهادة',
  validUntil: 'صالحة حتى',
  port: 'المنفذ',
  version: 'الإصدار والتحديثات',
  versionNow: (version) => `الإصدار ${version}`,
  updates: 'الجهاز المركزي المثبّت من مصدر الحزم يتحدّث تلقائيًا ليلًا. إذا لم يعمل إصدار، يعود تلقائيًا إلى ما قبله.',
  people: 'المستخدمون',
  peopleNow: (count, names) =>
    `${plural(count, { one: 'مستخدم واحد', two: 'مستخدمان', few: '# مستخدمين', many: '# مستخدمًا', other: '# مستخدم' })}: ${names}`,
  password: 'كلمة مرورك',
  signedIn: (name) => `الدخول باسم ${name}`,
  care: 'التشخيص والنسخ الاحتياطي والاستعادة',
  logs: 'ما سجّله الجهاز المركزي، الأحدث أولًا',
} satisfies typeof enFolds
