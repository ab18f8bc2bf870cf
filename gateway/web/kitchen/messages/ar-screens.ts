// Arabic texts of the runner's display, the guests' board and the drawers.
import type { enScreens } from './en-screens.ts'

export const arScreens: typeof enScreens = {
  preparing: 'قيد التحضير',
  pickUpReady: 'جاهز',
  pickUpStale: 'لم تُحدَّث منذ {time}. اسأل عند الكاونتر من فضلك.',
  nothingReady: 'لا شيء جاهز بعد',
  runnerStale: 'لا اتصال منذ {time}. ما جهز بعدها لا يظهر هنا: انظر إلى الباس.',
  moreToCome: 'الدفعة {n} معلّقة',
  readyToCarry: 'جاهز للتقديم',
  carried: 'تم التقديم',
  combine: 'تجميع',
  combineNext: 'التذاكر التالية: {n}',
  combineNone: 'لا تذاكر مفتوحة',
  onTickets: 'عدد التذاكر: {n}',
  onOne: 'في تذكرة واحدة فقط',
  noStation: 'بلا محطة',
  lateOf: 'متأخر: {n}',
  lastActs: 'آخر اللمسات هنا',
  readyAndPickedUp: 'جاهز ومُستلَم',
}
