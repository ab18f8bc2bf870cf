// What a browser gets in place of the technician's page where passwords could be read along: why not here, where instead, and by which fingerprint the box is known.
import type { HttpsAnswer } from '#gateway/control/https-answer.ts'
import { type LanguageId, languageFacts, languageFor } from '#shared/languages.ts'
import { html } from './html.ts'

export interface PlainHttpFacts {
  https: HttpsAnswer
  /** As the browser wrote it, without its port. */
  hostName: string
  /** Header Accept-Language. */
  accepted: string | undefined
}

interface Words {
  title: string
  why: string
  goOn: string
  selfSigned: string
  provided: string
  compare: string
  silent: string
  displays: string
}

/** In the languages of the page. */
const WORDS: Readonly<Record<LanguageId, Words>> = {
  en: {
    title: 'Go on by https',
    why: 'What is sent by plain http can be read by anybody in this network. So this box takes passwords and codes by https only.',
    goOn: 'Go on',
    selfSigned:
      'Your browser will warn you, because the box made its certificate itself. Go on only if the certificate that the browser shows has this SHA-256 fingerprint:',
    provided: 'The certificate was put in by the owner of the box. Its SHA-256 fingerprint:',
    compare:
      'This page came by plain http too, so somebody may have changed it. The set-up ticket shows the beginning of the fingerprint, and on the box “sudo ticketrail-gateway welcome” shows all of it.',
    silent: 'The box does not answer https at the moment. On the box, “sudo ticketrail-gateway doctor” says why.',
    displays: 'Kitchen display',
  },
  es: {
    title: 'Siga por https',
    why: 'Lo que se envía por http sin cifrar lo puede leer cualquiera en esta red. Por eso este equipo Ticketrail solo acepta contraseñas y códigos por https.',
    goOn: 'Seguir',
    selfSigned:
      'El navegador le avisará, porque el equipo ha hecho él mismo su certificado. Siga solo si el certificado que muestra el navegador tiene esta huella SHA-256:',
    provided: 'El certificado lo ha puesto el dueño del equipo. Su huella SHA-256:',
    compare:
      'Esta página también llegó por http sin cifrar, así que alguien puede haberla cambiado. El ticket de instalación muestra el principio de la huella, y en el equipo «sudo ticketrail-gateway welcome» la muestra entera.',
    silent: 'El equipo no responde ahora por https. En el equipo, «sudo ticketrail-gateway doctor» dice por qué.',
    displays: 'Pantalla de cocina',
  },
  de: {
    title: 'Weiter über https',
    why: 'Was über einfaches http gesendet wird, kann jeder in diesem Netz mitlesen. Darum nimmt diese Box Passwörter und Codes nur über https an.',
    goOn: 'Weiter',
    selfSigned:
      'Der Browser wird warnen, weil die Box ihr Zertifikat selbst erstellt hat. Nur weitergehen, wenn das Zertifikat, das der Browser zeigt, diesen SHA-256-Fingerabdruck hat:',
    provided: 'Das Zertifikat hat der Besitzer der Box eingesetzt. Sein SHA-256-Fingerabdruck:',
    compare:
      'Auch diese Seite kam über einfaches http, jemand kann sie also geändert haben. Der Einrichtungsbon zeigt den Anfang des Fingerabdrucks, und auf der Box zeigt „sudo ticketrail-gateway welcome“ ihn ganz.',
    silent: 'Die Box antwortet gerade nicht über https. Den Grund nennt auf der Box „sudo ticketrail-gateway doctor“.',
    displays: 'Küchenmonitor',
  },
  fr: {
    title: 'Continuez par https',
    why: 'Ce qui est envoyé par http simple peut être lu par n’importe qui sur ce réseau. Ce boîtier n’accepte donc les mots de passe et les codes que par https.',
    goOn: 'Continuer',
    selfSigned:
      'Votre navigateur va vous avertir, car le boîtier a fait lui-même son certificat. Ne continuez que si le certificat affiché par le navigateur a cette empreinte SHA-256 :',
    provided: 'Le certificat a été installé par le propriétaire du boîtier. Son empreinte SHA-256 :',
    compare:
      'Cette page aussi est venue par http simple : quelqu’un a donc pu la modifier. Le bon d’installation montre le début de l’empreinte, et sur le boîtier « sudo ticketrail-gateway welcome » la montre en entier.',
    silent:
      'Le boîtier ne répond pas par https en ce moment. Sur le boîtier, « sudo ticketrail-gateway doctor » dit pourquoi.',
    displays: 'Écran de cuisine',
  },
  'zh-Hans': {
    title: '请改用 https',
    why: '通过普通 http 发送的内容，此网络中的任何人都能读到。因此本机只通过 https 接受密码和代码。',
    goOn: '继续',
    selfSigned: '浏览器会发出警告，因为证书是本机自己生成的。只有当浏览器显示的证书具有以下 SHA-256 指纹时才继续：',
    provided: '证书由本机的所有者安装。其 SHA-256 指纹：',
    compare:
      '此页面也是通过普通 http 传来的，可能被人改过。安装小票上有指纹的开头部分，在本机上运行“sudo ticketrail-gateway welcome”可看到完整指纹。',
    silent: '本机目前不响应 https。在本机上运行“sudo ticketrail-gateway doctor”可了解原因。',
    displays: '厨房显示屏',
  },
  ar: {
    title: 'تابع عبر https',
    why: 'ما يُرسل عبر http العادي يستطيع أي أحد في هذه الشبكة قراءته. لذلك يقبل هذا الجهاز المركزي كلمات المرور والرموز عبر https فقط.',
    goOn: 'تابع',
    selfSigned:
      'سيحذّرك المتصفح، لأن الجهاز المركزي أنشأ شهادته بنفسه. تابع فقط إذا كانت للشهادة التي يعرضها المتصفح بصمة \u2066SHA-256\u2069 هذه:',
    provided: 'وضع الشهادةَ مالكُ الجهاز المركزي. بصمتها \u2066SHA-256\u2069:',
    compare:
      'جاءت هذه الصفحة أيضًا عبر http العادي، فقد يكون أحد غيّرها. على تذكرة الإعداد أول البصمة، وعلى الجهاز المركزي يعرض الأمر «\u2066sudo ticketrail-gateway welcome\u2069» البصمة كلها.',
    silent:
      'لا يستجيب الجهاز المركزي الآن عبر https. على الجهاز المركزي يبيّن الأمر «\u2066sudo ticketrail-gateway doctor\u2069» السبب.',
    displays: 'شاشة المطبخ',
  },
}

/** Without a script: the browser's own warning comes next, and this is what to read before it. */
export function plainHttpPage({ https, hostName, accepted }: PlainHttpFacts): string {
  const language = languageFor(tagsOf(accepted))
  const words = WORDS[language]
  const { certificate } = https
  const shown =
    https.state === 'on' && certificate
      ? html`<p><a href="${httpsUrl(hostName, https.port)}">${words.goOn} <bdi dir="ltr">${httpsUrl(hostName, https.port)}</bdi></a></p>
<p>${certificate.source === 'provided' ? words.provided : words.selfSigned}</p>
<p class="card"><code id="fingerprint" dir="ltr">${certificate.fingerprint}</code></p>
<p class="soft">${words.compare}</p>`
      : html`<p class="do">${words.silent}</p>`
  return html`<!doctype html>
<html lang="${language}" dir="${languageFacts(language).direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${words.title} - Ticketrail gateway</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/app.css">
</head>
<body>
<main>
<header><h1>${words.title}</h1></header>
<p>${words.why}</p>
${shown}
<p><a href="/kitchen/">${words.displays}</a></p>
</main>
</body>
</html>
`.text
}

/** The page by https, under the name that the browser uses already. */
export function httpsUrl(hostName: string, port: number): string {
  return `https://${hostName.includes(':') ? `[${hostName}]` : hostName}${port === 443 ? '' : `:${port}`}/`
}

/** The accepted languages in their order. */
function tagsOf(accepted: string | undefined): string[] {
  return [...(accepted ?? '').matchAll(/(?:^|,)\s*([a-z]+(?:-[a-z\d]+)*)/gi)].map(([, tag = '']) => tag)
}
