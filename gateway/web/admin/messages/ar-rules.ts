// Words about routing rules: each one as a sentence, and the choices that make it, in Arabic.
import type { RuleParts } from '#gateway/web/admin/parts/rule-parts.ts'
import { isolated } from '#shared/ui/isolation.ts'
import { pluralOf } from '#shared/ui/languages.ts'
import type { enRules } from './en-rules.ts'

const plural = pluralOf('ar')

export const arRules = {
  title: 'القواعد',
  explain: 'تُسأل القواعد قبل المحطات، من الأعلى إلى الأسفل. بلا قواعد تذهب الأصناف إلى طابعات محطاتها.',
  none: 'لا قواعد: تذهب الأصناف إلى طابعات محطاتها.',
  add: 'أضف قاعدة',
  edit: 'تعديل',
  up: 'إلى أعلى',
  down: 'إلى أسفل',
  remove: 'أزل',
  of: (act: string, name: string) => `${act}: ${name}`,
  removeQuestion: (name: string) => `لا تسري ${name} ابتداءً من الطلب التالي.`,
  name: 'اسم القاعدة',
  nameHint: 'يُذكر ضمن أسباب كل تذكرة',
  lines: 'أي أصناف',
  what: {
    any: 'كل الأصناف',
    station: 'أصناف محطة',
    category: 'أصناف فئة',
    item: 'صنف واحد',
    receipt: 'إيصالات يرسلها آخرون',
    label: 'ملصقات يرسلها آخرون',
  },
  whatOf: { station: 'المحطة', category: 'الفئة', item: 'رقم الصنف (umsId)' },
  orders: 'في أي طلبات',
  anyType: 'من كل نوع',
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
  location: 'الموقع (فارغ: أي موقع)',
  go: 'تذهب',
  also: 'إلى هذه الطابعات أيضًا، ثم إلى محطتها',
  only: 'إلى هذه الطابعات فقط: لا يسري شيء بعد هذه القاعدة',
  to: 'إلى الطابعات',
  noPrinterChosen: 'اختر طابعة واحدة على الأقل.',
  more: 'الورق والنسخ والمحطة على التذكرة',
  paper: 'النوع',
  copies: 'النسخ (فارغ: بحسب الطابعة)',
  split: 'التذاكر',
  splits: { printer: 'بحسب الطابعة', consolidated: 'واحدة لكل الأصناف', 'per-item': 'واحدة لكل صنف' },
  label: 'المحطة على التذكرة (فارغ: كما هي)',
  save: 'احفظ القاعدة',
  faults: {
    gone: 'لا ترسل إلى أي مكان: طابعاتها لم تعد موجودة',
    'part-gone': 'إحدى طابعاتها لم تعد موجودة',
    never: 'لا تُسأل أبدًا: قاعدة فوقها تأخذ كل ما تطلبه',
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
    none: 'لم يصل طلب بعد: جرّبها حين تصل الطلبات الأولى.',
    withDraft: 'بالقاعدة كما هي في النموذج.',
    asSaved: 'بالقواعد المحفوظة.',
    paper: (n: number, printer: string) => `التذكرة ${n}: ${printer}`,
    show: 'ورق',
  },
} satisfies typeof enRules

/** Such as: أصناف محطة الشواية في طلبات (توصيل) من kiosk تذهب أيضًا إلى الباس. */
function sentence(rule: RuleParts): string {
  const said = (text: string | number) => isolated(String(text), true)
  const { station, category, item, client, orderType, source, course, location } = rule
  const of = [
    station && `محطة ${said(station)}`,
    category && `فئة ${said(category)}`,
    item && `الصنف ${said(item)}`,
  ].filter(Boolean)
  const things = { receipt: 'الإيصالات التي يرسلها آخرون', label: 'الملصقات التي يرسلها آخرون' }
  const lines = client ? things[client] : of.length === 0 ? 'كل الأصناف' : `أصناف ${of.join('، ')}`
  const orders =
    orderType || source
      ? `في ${orderType ? `طلبات (${said(orderType)})` : 'الطلبات'}${source ? ` من ${said(source)}` : ''}`
      : ''
  const where = [course && `من الدفعة ${said(course)}`, orders, location && `في موقع ${said(location)}`]
    .filter(Boolean)
    .join(' ')
  const paper = { kitchen: '', receipt: ' كإيصال', label: ' كملصقات' }[client ? 'kitchen' : rule.paper]
  const how = [
    rule.copies && plural(rule.copies, { one: 'نسخة واحدة', two: 'نسختان', few: '# نسخ', other: '# نسخة' }),
    rule.split === 'per-item' && 'تذكرة لكل صنف',
    rule.split === 'consolidated' && 'تذكرة واحدة لكل الأصناف',
    rule.label && `باسم محطة ${said(rule.label)}`,
  ].filter(Boolean)
  const end = how.length === 0 ? '' : ` (${how.join('، ')})`
  return `${[lines, where].filter(Boolean).join(' ')} تذهب ${rule.isOnly ? 'فقط' : 'أيضًا'} إلى ${rule.to}${paper}${end}.`
}
