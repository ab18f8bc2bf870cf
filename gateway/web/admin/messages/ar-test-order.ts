// Words about the test order, in Arabic.
import type { enTestOrder } from './en-test-order.ts'

export const arTestOrder = {
  title: 'طلب تجريبي',
  explain: 'يصل طلب مكتوب عليه TEST ORDER إلى كل طابعة وكل شاشة. لا يحضّره أحد، ولا يصل شيء منه إلى حساب المطعم.',
  send: 'أرسل طلبًا تجريبيًا',
  again: 'أرسل طلبًا آخر',
  sent: (number: string) => `الطلب ${number} في الطريق.`,
  green: 'كل شيء أخضر: خرج الطلب من كل طابعة وظهر على كل شاشة.',
  notYet: 'ليس كل شيء أخضر بعد.',
  after: (duration: string) => `بعد ${duration}`,
  noPrinter: 'لا توجد طابعة بعد. سيُطبع عندما توجد واحدة.',
  waiting: 'ينتظر الطابعة',
  shown: 'ظهر على الشاشة',
  notShown: 'لم يظهر بعد',
  screenOff: 'الشاشة مطفأة، أو لم يُسجَّل الدخول عليها',
  screenOffHint: 'افتح صفحة المطبخ على الجهاز اللوحي وابدأ الوردية هناك.',
  ready: 'جاهز على إحدى الشاشات',
  isReady: 'تم اللمس',
  tapReady: 'المس «جاهز» على الطلب',
  paperOf: 'التذكرة في',
} satisfies typeof enTestOrder
