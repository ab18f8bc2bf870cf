// Words about routing rules: each one as a sentence, and the choices that make it, in Arabic.
import type { RuleParts } from '#gateway/web/admin/parts/rule-parts.ts'
import type { enRules } from './en-rules.ts'

export const arRules = {
  title: 'القواعد',
  explain: 'القواعد قبل المحطات، من الأعلى إلى الأسفل. بلا قواعد تذهب الأصناف إلى طابعات محطاتها.',
  none: 'لا قواعد: تذهب الأصناف إلى طابعات محطاتها.',
  add: 'أضف قاعدة',
  edit: 'تعديل',
  up: 'إلى أعلى',
  down: 'إلى أسفل',
  remove: 'أزل',
  of: (act: string, name: string) => `${act}: ${name}`,
  removeQuestion: (name: string) => `لا تُطبَّق ${name} بدءًا من الطلب التالي.`,
  name: 'اسم القاعدة',
  nameHint: 'يظهر في أسباب كل تذكرة',
  lines: 'أي أصناف',
  what: {
    any: 'كل الأصناف',
    station: 'أصناف محطة',
    category: 'أصناف فئة',
    item: 'صنف واحد',
    receipt: 'إيصالات يرسلها آخرون',
    label: 'ملصقات يرسلها آخرون',
  },
  whatOf: { station: 'المحطة', category: 'الفئة', item: 'رقم الصنف \u2066(umsId)\u2069' },
  orders: 'في أي طلبات',
  anyType: 'من أي نوع',
  orderTypes: {
    'dine-in': 'في المطعم',
    takeaway: 'سفري',
    delivery: 'توصيل',
    'drive-through': 'طلبات السيارات',
    catering: 'حفلات',
    curbside: 'استلام عند السيارة',
  },
  source: 'المصدر (فارغ: أي مصدر)',
  sourceHint: 'كما يذكره الطلب، مثل kiosk',
  course: 'الدفعة (فارغ: أي دفعة)',
  location: 'الفرع (فارغ: أي فرع)',
  go: 'تذهب',
  also: 'إلى هذه الطابعات أيضًا، ثم إلى محطتها',
  only: 'إلى هذه الطابعات فقط: لا يُطبَّق شيء بعد هذه القاعدة',
  to: 'إلى الطابعات',
  noPrinterChosen: 'اختر طابعة واحدة على الأقل.',
  more: 'الورق والنسخ والمحطة على التذكرة',
  paper: 'نوع الورق',
  copies: 'النسخ (فارغ: كما في إعداد الطابعة)',
  split: 'التذاكر',
  splits: {
    printer: 'كما في إعداد الطابعة',
    consolidated: 'تذكرة واحدة لكل الأصناف',
    'per-item': 'تذكرة لكل صنف',
  },
  label: 'المحطة على التذكرة (فارغ: كما هي)',
  save: 'احفظ القاعدة',
  faults: {
    gone: 'لا ترسل إلى أي مكان: طابعاتها لم تعد موجودة',
    'part-gone': 'إحدى طابعاتها لم تعد موجودة',
    never: 'لا تُطبَّق أبدًا: قاعدة فوقها تأخذ كل ما تطلبه هذه',
  },
  asText: 'كنص',
  text: 'القواعد بصيغة JSON، من الأعلى إلى الأسفل',
  textHint: 'لمن يحفظ القواعد في ملف. ما يُحفظ هنا يحل محل كل القواعد.',
  sentence: sentence,
  try: {
    title: 'جرّبها على طلب',
    explain: 'إلى أين يذهب الآن طلب كان هنا. لا يُطبع شيء.',
    order: 'الطلب',
    choose: 'اختر طلبًا…',
    none: 'لم يصل أي طلب بعد: جرّب حين تصل أول الطلبات.',
    withDraft: 'مع القاعدة كما هي في النموذج.',
    asSaved: 'مع القواعد كما هي محفوظة.',
    paper: (n: number, printer: string) => `التذكرة ${n}: ${printer}`,
    show: 'ورق',
  },
} satisfies typeof enRules

/** Such as: الأصناف من المحطة Grill في الطلبات من نوع «توصيل» الواردة من kiosk تذهب أيضًا إلى Pass. */
function sentence(rule: RuleParts): string {
  const { station, category, item, client, orderType, source, course, location } = rule
  const of = [station && `من المحطة ${station}`, category && `من الفئة ${category}`, item && `برقم ${item}`]
  const chosen = of.filter(Boolean).join('، ')
  const things = { receipt: 'الإيصالات التي يرسلها آخرون', label: 'الملصقات التي يرسلها آخرون' }
  const lines = client ? things[client] : chosen === '' ? 'كل الأصناف' : `الأصناف ${chosen}`
  const orders =
    orderType || source
      ? `في الطلبات${orderType ? ` من نوع «${orderType}»` : ''}${source ? ` الواردة من ${source}` : ''}`
      : ''
  const where = [course && `في الدفعة ${course}`, orders, location && `في الفرع ${location}`].filter(Boolean).join(' ')
  const paper = { kitchen: '', receipt: ' كإيصال', label: ' كملصقات' }[client ? 'kitchen' : rule.paper]
  const how = [
    rule.copies && `عدد النسخ ${rule.copies}`,
    rule.split === 'per-item' && 'تذكرة لكل صنف',
    rule.split === 'consolidated' && 'تذكرة واحدة لكل الأصناف',
    rule.label && `باسم المحطة ${rule.label}`,
  ].filter(Boolean)
  const end = how.length === 0 ? '' : ` (${how.join('، ')})`
  // The printers come with a Latin comma between them.
  const to = rule.to.replaceAll('\u2069, ', '\u2069، ')
  return `${[lines, where].filter(Boolean).join(' ')} ${rule.isOnly ? 'لا تذهب إلا إلى' : 'تذهب أيضًا إلى'} ${to}${paper}${end}.`
}
