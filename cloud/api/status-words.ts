// The words of the public status page, in each language of the dashboard.

const EN = {
  title: 'Status',
  skip: 'To the content',
  contents: 'Languages',
  bar: 'Ticketrail: languages',
  answers: 'The relay answers.',
  intro:
    'Measured on the orders of all live restaurants together, over 30 days: those that were due at once, and whose kitchen was there.',
  stages: { paper: 'Order to paper', webhook: 'Event to its first webhook attempt' },
  target: (share: string, time: string) => `Target: ${share} within ${time}`,
  met: (share: string) => `met: ${share}`,
  missed: (share: string) => `missed: ${share}`,
  few: 'Too few orders to say something.',
  half: 'Half within',
  most: '95 of 100 within',
  counted: 'Counted',
  days: 'Day by day, in UTC',
  day: 'Day',
  share: 'Within the target',
  state: 'Target',
  dayMet: 'met',
  dayMissed: 'missed',
  dayFew: 'few orders',
  feed: 'Days that missed a target, as RSS',
  missedDay: (stage: string, day: string) => `${day}: ${stage} missed its target`,
}

export type StatusWords = typeof EN

const ES: StatusWords = {
  title: 'Estado',
  skip: 'Ir al contenido',
  contents: 'Idiomas',
  bar: 'Ticketrail: idiomas',
  answers: 'El servicio responde.',
  intro:
    'Medido con los pedidos de todos los restaurantes reales juntos, en 30 días: los que eran para enseguida y cuya cocina estaba conectada.',
  stages: { paper: 'Del pedido al papel', webhook: 'Del evento al primer intento de webhook' },
  target: (share: string, time: string) => `Objetivo: ${share} en ${time}`,
  met: (share: string) => `cumplido: ${share}`,
  missed: (share: string) => `no cumplido: ${share}`,
  few: 'Muy pocos pedidos para decir algo.',
  half: 'La mitad en',
  most: '95 de 100 en',
  counted: 'Contados',
  days: 'Día a día, en UTC',
  day: 'Día',
  share: 'Dentro del objetivo',
  state: 'Objetivo',
  dayMet: 'cumplido',
  dayMissed: 'no cumplido',
  dayFew: 'pocos pedidos',
  feed: 'Días que no cumplieron un objetivo, como RSS',
  missedDay: (stage: string, day: string) => `${day}: ${stage} no cumplió su objetivo`,
}

const ZH: StatusWords = {
  title: '状态',
  skip: '转到内容',
  contents: '语言',
  bar: 'Ticketrail：语言',
  answers: '系统正常应答。',
  intro: '根据所有正式餐厅 30 天内的订单合并测量：只算立即要做、且厨房在线的订单。',
  stages: { paper: '从订单到出纸', webhook: '从事件到第一次 Webhook 尝试' },
  target: (share: string, time: string) => `目标：${share} 在 ${time} 内`,
  met: (share: string) => `达到：${share}`,
  missed: (share: string) => `未达到：${share}`,
  few: '订单太少，无法说明。',
  half: '一半在此时间内',
  most: '100 单中 95 单在此时间内',
  counted: '数量',
  days: '逐日（UTC）',
  day: '日期',
  share: '目标内的比例',
  state: '目标',
  dayMet: '达到',
  dayMissed: '未达到',
  dayFew: '订单少',
  feed: '未达到目标的日期（RSS）',
  missedDay: (stage: string, day: string) => `${day}：${stage}未达到目标`,
}

export const STATUS_WORDS = { en: EN, es: ES, 'zh-Hans': ZH } as const
export type StatusLanguage = keyof typeof STATUS_WORDS

/** @param wanted a language, or the header Accept-Language. The first one that is known; English where none is */
export function statusLanguage(wanted: string): StatusLanguage {
  for (const part of wanted.toLowerCase().split(',')) {
    const tag = part.split(';')[0]?.trim() ?? ''
    if (tag.startsWith('en')) return 'en'
    if (tag.startsWith('es')) return 'es'
    if (tag.startsWith('zh')) return 'zh-Hans'
  }
  return 'en'
}
