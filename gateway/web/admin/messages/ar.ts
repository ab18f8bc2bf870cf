// The page's words in Arabic.
import type { BackupHolds } from '#gateway/control/backup-answers.ts'
import { isolated } from '#shared/ui/isolation.ts'
import { pluralOf } from '#shared/ui/languages.ts'
import { arCheck } from './ar-check.ts'
import { arFigures } from './ar-figures.ts'
import { arHealth } from './ar-health.ts'
import { arJob } from './ar-job.ts'
import { arOrders, arReport } from './ar-orders.ts'
import { arPrinter } from './ar-printer.ts'
import { arRefusals } from './ar-refusals.ts'
import { arRules } from './ar-rules.ts'
import { arStations } from './ar-stations.ts'
import { arWizard } from './ar-wizard.ts'
import type { Messages } from './en.ts'

const plural = pluralOf('ar')

// One word a thing: the box is "الجهاز المركزي" (a "جهاز" alone is any device), the relay "الخادم", a ticket "تذكرة", a receipt "إيصال",
// a station "محطة", a course "دفعة", takeaway "سفري", the pass "الباس". What waits for a person waits for a decision: "تنتظر قرارك".
export const ar = {
  common: {
    colon: ': ',
    comma: '، ',
    cancel: 'إلغاء',
    close: 'إغلاق',
    done: 'تم.',
    loading: 'جارٍ التحميل',
    never: 'لا يوجد',
    none: 'لا شيء',
    notFound: 'لا شيء على هذا العنوان',
    save: 'حفظ',
    saved: 'تم الحفظ.',
    showPassword: 'أظهر كلمة المرور',
    changed: (when: string) => `تغيّرت ${when}`,
    tryAgain: 'حاول ثانيةً',
  },
  nav: {
    menu: 'الصفحات',
    skip: 'إلى المحتوى',
    overview: 'نظرة عامة',
    printers: 'الطابعات',
    jobs: 'التذاكر',
    orders: 'الطلبات',
    report: 'التقرير',
    repairs: 'الأعطال',
    displays: 'الشاشات',
    routing: 'المحطات والتوزيع',
    settings: 'الإعدادات',
    users: 'المستخدمون',
    logs: 'السجل',
    care: 'النسخ الاحتياطي والدعم',
  },
  live: {
    live: 'مباشر',
    waiting: 'جارٍ الاتصال',
    silent: 'لا اتصال',
    silentHint:
      'الجهاز المركزي لا يستجيب، وقد يكون ما تراه هنا قديمًا. تحقق من أنه يعمل وأن هذا الجهاز في شبكته؛ تحاول الصفحة تلقائيًا من جديد.',
  },
  problem: { title: 'لم ينجح ذلك' },
  refusals: arRefusals,
  folds: {
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
  },
  late: {
    title: 'متى يتأخر الطلب',
    /** @param others types that are late at another minute, or nothing */
    state: (usual: number, others: string) => `بعد هذا العدد من الدقائق: ${usual}${others === '' ? '' : `. ${others}`}`,
    explain:
      'تتبعها كل شاشة ليست لها دقائق خاصة، ويتبعها التقرير. فارغ: الدقائق المكتوبة هناك بالرمادي. والطلب الذي له موعد موعود يتأخر بعد ذلك الموعد.',
    usual: 'الطلبات الأخرى',
    soonAfter: 'قريب من التأخر بعد، بالدقائق',
    lateAfter: 'متأخر بعد، بالدقائق',
  },
  signIn: {
    title: 'تسجيل الدخول',
    name: 'الاسم',
    password: 'كلمة المرور',
    signIn: 'دخول',
    signOut: 'خروج',
    forgotten:
      'نسيت كلمة المرور؟ يستطيع فنّي أن يضع كلمة جديدة في صفحة المستخدمين. وعلى الجهاز المركزي نفسه: \u2066ticketrail-gateway admin reset\u2069.',
  },
  overview: {
    lastTickets: 'آخر التذاكر',
    allTickets: 'كل التذاكر',
    queue: 'الانتظار',
    waiting: 'تنتظر الطباعة',
    held: 'لوقت لاحق',
    parked: 'تنتظر قرارك',
    unreported: 'نتائج لم تُرسل',
  },
  figures: arFigures,
  link: {
    title: 'الخادم',
    connected: 'متصل',
    trying: 'جارٍ الاتصال',
    connecting: 'غير متصل',
    connectingHint: 'تصل الطلبات الجديدة حين يعود الاتصال. إن طال الأمر، تحقق من الإنترنت. ما هو هنا يُطبع.',
    unpaired: 'غير مربوط',
    unpairedHint: 'هذا الجهاز المركزي لا يتبع أي مطعم بعد: لا تصل طلبات. الطابعات والشاشات تعمل بدونه.',
    unusable: 'لا يمكن استعمال الربط',
    unusableHint: 'اربط هذا الجهاز المركزي من جديد برمز ربط جديد. ما هو هنا يُطبع.',
  },
  paper: { kitchen: 'تذاكر المطبخ', receipt: 'الإيصالات', label: 'الملصقات' },
  printers: { add: 'أضف طابعة', none: 'لا توجد طابعة بعد.' },
  find: {
    title: 'ابحث عن طابعات في الشبكة',
    byAddress: 'أضف بالعنوان',
    start: 'ابحث عن طابعات',
    stop: 'أوقف',
    running: 'جارٍ البحث…',
    nothing: 'لم يُعثر على طابعة. هل هي تعمل وفي الشبكة نفسها؟ طابعات شبكة أخرى (VLAN) لا يُعثر عليها: أضفها بالعنوان.',
    unknownModel: 'طابعة غير معروفة',
    newName: 'طابعة',
    add: 'أضف',
    addedAs: (name: string) => `أُضيفت باسم ${name}.`,
    known: (name: string) => `موجودة باسم ${name}`,
  },
  printer: arPrinter,
  jobs: {
    printer: 'الطابعة',
    state: 'الحالة',
    all: 'الكل',
    none: 'لا تذاكر.',
    why: 'لماذا لم تُطبع؟',
    newer: 'الأحدث',
    older: 'الأقدم',
  },
  job: arJob,
  orders: arOrders,
  report: arReport,
  courses: {
    title: 'الدفعات المعلّقة',
    name: (order: string, course: number) => `طلب ${order}، الدفعة ${course}`,
    fire: 'أطلق',
    fireOf: (order: string, course: number) => `أطلق الدفعة ${course} من الطلب ${order}`,
  },
  testOrder: {
    title: 'طلب تجريبي',
    send: 'أرسل طلبًا تجريبيًا',
    paperOf: 'التذكرة في',
  },
  health: arHealth,
  displays: {
    name: 'الاسم',
    kind: 'ما عملها',
    kinds: {
      station: 'محطة: تحضّر طلبات محطاتها',
      expo: 'الباس: ترى كل الطلبات وتسلّمها',
      runner: 'المقدّم: يحمل ما جهز إلى الضيوف',
      'pick-up': 'لوحة الاستلام: تعرض الأرقام للضيوف',
    },
    kindHints: {
      station: '',
      expo: '',
      runner: 'تعرض ما جهز فقط. منها يُقال إن الطلب استُلم، ويُتراجع عن ذلك.',
      'pick-up': 'عمودان، قيد التحضير وجاهز، بلا لمس. طلبات الطاولات لا تظهر.',
    },
    showNames: 'اعرض الأسماء الأولى بجانب الأرقام',
    showNamesHint: 'بدون ذلك لا تُرسل إلى اللوحة إلا الأرقام.',
    showsNames: 'الأسماء الأولى بجانب الأرقام',
    add: 'أضف شاشة',
    none: 'لا شاشات بعد. يصلح أي جهاز لوحي فيه متصفح.',
    whichStations: 'أي محطات تعرض؟',
    noScreenYet: 'بلا شاشة بعد',
    anotherStation: 'محطة أخرى…',
    anotherHint: 'تُكتب كما في القائمة؛ وافصل بين عدة محطات بفواصل',
    backup: 'تطبع بدلًا منها حين تصمت الشاشة',
    backupHint: 'التذاكر التي لم يرها أحد تخرج هناك، ومكتوب عليها SCREEN OFFLINE',
    noBackup: 'لا شيء يطبع بدلًا منها',
    buzzAfter: 'يرنّ منبّهها بعد هذا العدد من الثواني',
    buzzAfterHint: 'من 10 إلى 3600، إذا لم ينظر أحد إلى الطلب على الشاشة؛ فارغ: أبدًا',
    backupIs: (name: string) => `${name} تطبع بدلًا منها حين تصمت`,
    scan: 'امسح هذا بالجهاز اللوحي، في الشبكة نفسها:',
    qr: 'عنوان الشاشة كرمز QR',
    codeUntil: (when: string) => `يصلح مرة واحدة، حتى ${when}.`,
    localAddress:
      'فُتحت هذه الصفحة بعنوان لا يعرفه إلا هذا الجهاز. افتحها بعنوان IP للجهاز المركزي، ليصلح الرمز للجهاز اللوحي. إن لم تستجب هناك فاضبط \u2066GATEWAY_HTTP_HOST=0.0.0.0\u2069 على هذا الجهاز.',
    notYet: 'تنتظر جهازها اللوحي',
    alive: 'متصلة',
    onShift: 'متصلة، بدأت الوردية',
    silent: 'صامتة: شغّل الجهاز اللوحي، أو سجّل دخوله برمز جديد',
    edit: 'تعديل',
    lastHeard: (when: string) => `آخر إشارة ${when}`,
    notHeard: 'بلا إشارة منذ تشغيل الجهاز المركزي',
    speaks: (language: string) => `اللغة: ${language}`,
    newCode: 'رمز جديد',
    remove: 'أزل الشاشة',
    removeQuestion: (name: string) => `تخرج ${name} فورًا.`,
  },
  logo: {
    title: 'صورة على الإيصالات',
    explain: 'صورة PNG تُرسم بالأبيض والأسود بعرض الورق. الداكن على الأبيض أوضح في الطباعة.',
    none: 'الإيصالات بلا صورة.',
    file: 'ملف PNG',
    put: 'استعمل هذه الصورة',
    tooBig: 'الملف أكبر من \u2066512 kB\u2069: صغّره.',
    size: (width: number, height: number) => `عرضها ${width} نقطة وارتفاعها ${height} على الورق العريض.`,
    remove: 'أزل الصورة',
    removeQuestion: 'الإيصالات بلا صورة من الآن.',
  },
  routing: {
    paste: 'طلب بصيغة JSON',
    whatIf: 'ماذا سيحدث',
    pasteHint: 'كما يرسله الخادم؛ يمكن ترك ما لا يؤثر في الوجهة. لا يُطبع شيء.',
    badJson: 'ليس هذا JSON: تحقق من الفواصل وعلامات الاقتباس.',
    ask: 'إلى أين يذهب؟',
    printsNow: 'يُطبع فورًا.',
    printsLater: 'لا يُطبع فورًا، أو لا يُطبع كله فورًا.',
  },
  settings: {
    box: 'هذا الجهاز المركزي',
    name: 'اسم المطعم',
    nameHint: 'كما يظهر أعلى هذه الصفحة',
    timeZone: 'المنطقة الزمنية',
    timeZoneHint: 'مثل \u2066Asia/Riyadh\u2069: الأوقات على التذاكر محلية',
    relayZone: (zone: string) =>
      `في حساب المطعم \u2066${zone}\u2069: إذا اخترت هنا منطقة أخرى، فلن تكون الأوقات على الورق والشاشات أوقات المطعم.`,
    browserZone: (zone: string) => `هذا الجهاز مضبوط على \u2066${zone}\u2069. المهم هو مكان المطعم.`,
    boxLanguage: 'لغة الجهاز المركزي',
    language: 'اللغة',
    colours: 'الألوان',
    schemes: { auto: 'كما في الجهاز', light: 'فاتح', dark: 'داكن' },
    password: 'كلمة مرورك',
    currentPassword: 'كلمة المرور الحالية',
    newPassword: 'كلمة المرور الجديدة',
    ownPassword: 'كلمة مرورك أنت',
    ownPasswordHint: 'مرة أخرى، لأن هذا يحدد من يستطيع الدخول',
    passwordHint: (n: number) => `أقل عدد من الحروف: ${n}. بضع كلمات لا علاقة بينها تكفي؛ والسهلة تُرفض.`,
    changePassword: 'غيّر كلمة المرور',
    passwordChanged: 'تغيّرت. خرجت المتصفحات الأخرى.',
    about: 'حول',
    version: 'الإصدار',
    gatewayId: 'رقم الجهاز المركزي',
    address: 'عنوان هذه الصفحة',
    certificate: 'شهادة هذه الصفحة، \u2066SHA-256\u2069',
  },
  pairing: {
    title: 'الربط',
    explain: 'يأتي رمز الربط من لوحة تحكم المطعم. بدونه يعمل كل شيء في هذه الشبكة، لكن لا تصل طلبات.',
    code: 'رمز الربط',
    codeHint: 'يصلح مرة واحدة، لمدة 15 دقيقة',
    relay: 'عنوان الخادم',
    relayHint: 'فقط إن أُعطيت عنوانًا',
    pair: 'اربط',
    paired: 'تم الربط.',
    belongsTo: (name: string) => `هذا الجهاز المركزي يتبع ${name}.`,
    unpair: 'افصل عن هذا المطعم',
    unpairQuestion: 'لا تصل طلبات حتى يُربط من جديد. تبقى الطابعات والتذاكر.',
  },
  users: {
    explain: 'المديرون يتولون الطابعات والتذاكر والشاشات. الفنّيون يفعلون كل شيء.',
    add: 'أضف مستخدمًا',
    role: 'الدور',
    roles: { technician: 'فنّي', manager: 'مدير' },
    you: 'هذا أنت',
    since: (when: string) => `منذ ${when}`,
    remove: 'أزل المستخدم',
    removeQuestion: (name: string) => `يخرج ${name} فورًا ولا يستطيع الدخول بعد ذلك.`,
    changeRole: 'غيّر الدور',
    changeRoleQuestion: (name: string) => `يخرج ${name}، ثم يدخل بالدور الجديد.`,
    setPassword: 'ضع كلمة مرور جديدة',
    setPasswordQuestion: (name: string) => `يخرج ${name}، ثم يدخل بكلمة المرور الجديدة.`,
    of: (act: string, name: string) => `${act}: ${name}`,
  },
  logs: {
    level: 'من المستوى',
    levels: { debug: 'تفصيل', info: 'معلومة', warn: 'تنبيه', error: 'خطأ', fatal: 'عطل' },
    search: 'بحث',
    none: 'لا أسطر.',
    newest: 'الأحدث',
  },
  care: {
    diagnostics: 'التشخيص',
    diagnosticsHint: 'ملف للدعم: حالة هذا الجهاز المركزي وإعداداته وسجله. بلا كلمات مرور ولا مفاتيح ولا ضيوف.',
    saveDiagnostics: 'احفظ ملف التشخيص',
    backup: 'نسخة احتياطية',
    backupHint:
      'الطابعات والتوزيع والمستخدمون والإعدادات في ملف واحد، مقفل بعبارة مرور. ليس فيه طلبات. لا يفتحه أحد بدون العبارة، ولا أنت: احفظها بعيدًا عن الملف.',
    saveBackup: 'احفظ نسخة احتياطية',
    saved: (file: string) => `حُفظ باسم ${file}. فيه:`,
    holds: ({ printers, people, rules, hasLogo }: BackupHolds) => {
      const parts = [
        printers === 0
          ? 'بلا طابعات'
          : plural(printers, { one: 'طابعة واحدة', two: 'طابعتان', few: '# طابعات', other: '# طابعة' }),
        people === 0
          ? 'بلا مستخدمين'
          : plural(people, {
              one: 'مستخدم واحد',
              two: 'مستخدمان',
              few: '# مستخدمين',
              many: '# مستخدمًا',
              other: '# مستخدم',
            }),
        rules === 0
          ? 'بلا قواعد'
          : plural(rules, { one: 'قاعدة واحدة', two: 'قاعدتان', few: '# قواعد', other: '# قاعدة' }),
      ]
      return `${parts.join('، ')}، ${hasLogo ? 'صورة' : 'بلا صورة'}.`
    },
    ownPasswordHint: 'مرة أخرى، لأن النسخة تأخذ المستخدمين وكلمات مرورهم معها',
    restore: 'استعادة',
    restoreHint:
      'يعرض أولًا ما ستجلبه النسخة الاحتياطية، وعلى جهاز مركزي آخر أيضًا. يحتفظ هذا الجهاز المركزي بهويته وتذاكره ومستخدميه.',
    file: 'ملف النسخة الاحتياطية',
    passphrase: 'عبارة المرور',
    passphraseHint: (n: number) => `أقل عدد من الحروف: ${n}. بضع كلمات لا علاقة بينها.`,
    passphraseAgain: 'عبارة المرور ثانيةً',
    isPlain: 'هذا الملف بلا عبارة مرور: صنعه إصدار أقدم، وأعرف مصدره',
    look: 'اعرض ما ستجلبه',
    preview: (when: string, app: string) => `صُنعت ${when} بواسطة ${app}.`,
    unprotected: 'الملف غير محمي: قد يكون أي أحد عدّله. انظر جيدًا. لا يجلب مستخدمين.',
    standings: { new: 'جديد', changed: 'يتغيّر', same: 'كما هو', here: 'موجود هنا، يحتفظ بكلمة مروره ودوره' },
    rules: (names: readonly string[], replaced: number) => {
      if (names.length === 0)
        return replaced === 0
          ? 'قواعد التوزيع: لا شيء هنا ولا في النسخة.'
          : `قواعد التوزيع: ليس في النسخة شيء، فتُزال قواعد هذا الجهاز المركزي (${replaced}).`
      const instead = replaced === 0 ? '.' : `، بدلًا من قواعد هذا الجهاز المركزي (${replaced}).`
      return `قواعد التوزيع: ${names.map((name) => isolated(name, true)).join('، ')}${instead}`
    },
    changes: {
      name: (after: string, before: string) => `الاسم: ${after}${before && ` بدلًا من ${before}`}.`,
      timeZone: (after: string, before: string) => `المنطقة الزمنية: ${after}${before && ` بدلًا من ${before}`}.`,
      language: (after: string, before: string) => `اللغة: ${after} بدلًا من ${before}.`,
    },
    settingsStay: 'يبقى الاسم والمنطقة الزمنية واللغة كما هي.',
    lateMinutes: 'بعد كم دقيقة يتأخر الطلب: كما في الملف.',
    logo: 'تُستبدل الصورة على الإيصالات.',
    logoStays: 'تبقى الصورة على الإيصالات كما هي.',
    people: 'من يأتي معها',
    peopleHint: 'لا يأتي إلا من تضع له علامة. يدخلون هنا بكلمة المرور التي لهم هناك.',
    nobody: 'ليس في الملف مستخدمون.',
    restored: (printers: number, rules: number, users: number) =>
      `تمت الاستعادة: الطابعات ${printers}، القواعد ${rules}، المستخدمون ${users}.`,
  },
  wizard: arWizard,
  stations: arStations,
  rules: arRules,
  check: arCheck,
} satisfies Messages
