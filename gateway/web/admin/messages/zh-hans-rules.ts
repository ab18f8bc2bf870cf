// Words about routing rules: each one as a sentence, and the choices that make it, in Simplified Chinese.
import type { RuleParts } from '#gateway/web/admin/parts/rule-parts.ts'
import type { enRules } from './en-rules.ts'

export const zhHansRules = {
  title: '规则',
  explain: '规则先于工位，从上到下依次判断。没有规则时，菜品送到各自工位的打印机。',
  none: '没有规则：菜品送到各自工位的打印机。',
  add: '添加规则',
  edit: '修改',
  up: '上移',
  down: '下移',
  remove: '删除',
  of: (act: string, name: string) => `${act}：${name}`,
  removeQuestion: (name: string) => `从下一个订单起，${name} 不再生效。`,
  name: '规则名称',
  nameHint: '会写在每张小票的去向原因里',
  lines: '哪些菜品',
  what: {
    any: '全部菜品',
    station: '某个工位的菜品',
    category: '某个分类的菜品',
    item: '某个商品',
    receipt: '外部发来的收据',
    label: '外部发来的标签',
  },
  whatOf: { station: '工位', category: '分类', item: '商品编号（umsId）' },
  orders: '哪些订单',
  anyType: '任何类型',
  orderTypes: {
    'dine-in': '堂食',
    takeaway: '外带',
    delivery: '外卖',
    'drive-through': '免下车',
    catering: '团餐',
    curbside: '车边取餐',
  },
  source: '来源（留空：不限）',
  sourceHint: '与订单所写一致，例如 kiosk',
  course: '第几道（留空：不限）',
  location: '门店（留空：不限）',
  go: '送到',
  also: '也送到这些打印机，并照常送到工位',
  only: '只送到这些打印机：此规则之后不再判断',
  to: '打印机',
  noPrinterChosen: '请至少选择一台打印机。',
  more: '纸张、份数、小票上的工位',
  paper: '打印为',
  copies: '份数（留空：按打印机设置）',
  split: '小票',
  splits: { printer: '按打印机设置', consolidated: '全部菜品一张', 'per-item': '每行菜品一张' },
  label: '小票上的工位（留空：不变）',
  save: '保存规则',
  faults: {
    gone: '无处可送：其打印机已不存在',
    'part-gone': '其中一台打印机已不存在',
    never: '永远轮不到：上面的规则已截住它要的全部内容',
  },
  asText: '文本形式',
  text: '规则的 JSON，从上到下判断',
  textHint: '供把规则保存在文件里的人使用。在此保存会替换全部规则。',
  sentence: sentence,
  try: {
    title: '用真实订单试一试',
    explain: '以前的某个订单现在会送到哪里。不会打印。',
    order: '订单',
    choose: '选择订单…',
    none: '还没有订单：有订单后再试。',
    withDraft: '按表单中的规则。',
    asSaved: '按已保存的规则。',
    paper: (n: number, printer: string) => `小票 ${n}：${printer}`,
    show: '小票去向',
  },
} satisfies typeof enRules

/** Such as: 来自 kiosk 的外卖订单中，工位烤炉的菜品也送到出餐口。 */
function sentence(rule: RuleParts): string {
  const { station, category, item, client, orderType, source, course, location } = rule
  const orders = orderType || source ? `${source ? `来自 ${source} 的` : ''}${orderType ?? ''}订单中` : ''
  const where = [location && `门店 ${location}`, orders, course && `第 ${course} 道`].filter(Boolean).join('，')
  const of = [station && `工位 ${station}`, category && `分类 ${category}`, item && `商品 ${item}`]
    .filter(Boolean)
    .join('、')
  const things = { receipt: '外部发来的收据', label: '外部发来的标签' }
  const lines = client ? things[client] : of === '' ? '全部菜品' : `${of} 的菜品`
  const paper = { kitchen: '', receipt: '，打印为收据', label: '，打印为标签' }[client ? 'kitchen' : rule.paper]
  const how = [
    rule.copies && `${rule.copies} 份`,
    rule.split === 'per-item' && '每行一张',
    rule.split === 'consolidated' && '全部一张',
    rule.label && `小票工位写作 ${rule.label}`,
  ].filter(Boolean)
  const end = how.length === 0 ? '' : `（${how.join('，')}）`
  return `${where === '' ? '' : `${where}，`}${lines}${rule.isOnly ? '只' : '也'}送到 ${rule.to}${paper}${end}。`
}
