// Mail in English.
import { alertWords } from './alert-words.ts'
import { dollarsIn, linkIf, minuteOf, nameIn, PRODUCT, scopesIn } from './letter.ts'
import type { NoticeWords } from './words.ts'

const ROLES = { staff: 'staff', developer: 'developer', manager: 'manager', owner: 'owner', operator: 'operator' }
const METHODS = { password: 'a password', passkey: 'a passkey', code: 'a code by mail', link: 'a link by mail' }
const DEEDS = { made: 'was made', rotated: 'was rotated', revoked: 'was revoked' }
const SIGN_IN = {
  'password-set': 'a new password was set',
  'passkey-added': 'a passkey was added',
  'passkey-removed': 'a passkey was removed',
}
const ACCESS = {
  approved: 'You have access to the restaurant',
  narrowed: 'Your access was narrowed at the restaurant',
  declined: 'Access was declined by the restaurant',
  removed: 'Your access was removed by the restaurant',
}
const REQUESTS = {
  live: 'may have live keys',
  plan: 'has another plan',
  refused: 'does not get what it asked for',
}
const PURPOSES = { 'sign-up': 'to sign up', 'sign-in': 'to sign in', reset: 'to set a new password' }
const WAITING = { mail: 'Mail', webhooks: 'Webhook deliveries', channels: 'Changes for ordering platforms' }

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`
const tickets = (count: number) => counted(count, 'ticket', 'tickets')

const alerts: NoticeWords['alerts'] = {
  'box-silent': ({ place }) => ({
    title: `The box of ${nameIn(place)} is not connected`,
    act: 'Check that the box has power and that its network reaches the internet. It goes on printing what it has, and new orders wait for it.',
  }),
  'printer-away': ({ place, printer, waiting }) => ({
    title: `The printer ${nameIn(printer)} of ${nameIn(place)} does not print`,
    act: `Check its power, its paper, its lid and its cable. Tickets that wait: ${waiting}.`,
  }),
  'ticket-late': ({ place, tickets: late }) => ({
    title: `${tickets(late)} of ${nameIn(place)} not on paper in time`,
    act: 'Look at the orders in the dashboard, and tell the kitchen of them. Then look at the box and its printers.',
  }),
  'ticket-uncertain': ({ place, tickets: doubtful }) => ({
    title: `${tickets(doubtful)} of ${nameIn(place)} perhaps on paper, perhaps not`,
    act: 'Look whether the ticket lies at the printer. If not, print it again at the box; if it does, say so there.',
  }),
  'endpoint-failing': ({ site }) => ({
    title: `The webhook endpoint at ${nameIn(site)} fails`,
    act: 'Look at its last answers in the dashboard under Webhooks. Events wait and are sent again.',
  }),
  'endpoint-failing-long': ({ site }) => ({
    title: `The webhook endpoint at ${nameIn(site)} has failed for a day`,
    act: 'Repair it soon: events are given up after six attempts, and an endpoint that goes on failing is disabled.',
  }),
  'endpoint-disabled': ({ site }) => ({
    title: `The webhook endpoint at ${nameIn(site)} is disabled`,
    act: 'It gets no events. Repair it, then enable it in the dashboard under Webhooks and send again what it has missed.',
  }),
  'clock-off': ({ place, seconds }) => ({
    title: `The clock of the box of ${nameIn(place)} is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead' : 'behind'}`,
    act: 'Check that the box reaches a time server (UDP port 123). Times on its tickets are wrong until then.',
  }),
  'usage-high': ({ percent, month }) => ({
    title: `${percent} % of the calls of ${month} are used`,
    act: 'See Usage in the dashboard. Calls above what the plan includes cost extra.',
  }),
  'usage-full': ({ percent, month }) => ({
    title: `All calls that the plan includes in ${month} are used (${percent} %)`,
    act: 'See Usage in the dashboard. Each further call costs extra; a larger plan may cost less.',
  }),
  'outbox-old': ({ what, waiting }) => ({
    title: `${WAITING[what]} of this relay: ${waiting} waiting for more than 10 minutes`,
    act: 'See what stands in the way: admin notices list for mail, admin server report for the rest.',
  }),
}

export const ENGLISH: NoticeWords = {
  alerts,
  footer: `${PRODUCT}. This mail was sent by a machine: answers to it are not read.`,
  code: ({ purpose, code, minutes }) => ({
    subject: `Your ${PRODUCT} code`,
    parts: [
      `Type this code ${PURPOSES[purpose]}:`,
      { code },
      `It counts for ${counted(minutes, 'minute', 'minutes')}, and once.`,
      'If you did not ask for it, do nothing: without the code nothing happens. Give it to nobody.',
    ],
  }),
  'already-known': ({ link }) => ({
    subject: `You have a ${PRODUCT} sign-in already`,
    parts: [
      'Somebody, perhaps you, wanted to sign up with this address. It is known already, so nothing new was made.',
      { link, words: 'Sign in here, or set a new password:' },
      'If it was not you, do nothing.',
    ],
  }),
  invitation: ({ link, accountName, role, invitedBy, expiresAtMs }) => ({
    subject: `${nameIn(invitedBy)} invites you to ${nameIn(accountName)}`,
    parts: [
      `You are invited to work in an account at ${PRODUCT}.`,
      {
        facts: [
          ['Account', accountName],
          ['Your role', ROLES[role]],
          ['Invited by', invitedBy],
        ],
      },
      { link, words: 'Accept here:' },
      `The link counts until ${minuteOf(expiresAtMs)}, and once. If you do not know who invites you, do nothing.`,
    ],
  }),
  'new-device': ({ atMs, address, agent, method, link }) => ({
    subject: `A sign-in to ${PRODUCT} from a new browser`,
    parts: [
      'Somebody has signed in as you from a browser that was not seen before.',
      {
        facts: [
          ['When', minuteOf(atMs)],
          ['From', address],
          ['Browser', agent],
          ['With', METHODS[method]],
        ],
      },
      { link, words: 'If it was you, do nothing. If not, end that sign-in here and set a new password:' },
    ],
  }),
  'sign-in-changed': ({ deed, name, atMs, link }) => ({
    subject: `Your ${PRODUCT} sign-in was changed: ${SIGN_IN[deed]}`,
    parts: [
      `The sign-in of this address was changed: ${SIGN_IN[deed]}.`,
      { facts: [...(name === null ? [] : [['Passkey', name] as const]), ['When', minuteOf(atMs)]] },
      {
        link,
        words:
          'If it was you, do nothing. If not, set a new password here by a code by mail, remove passkeys that are not yours, and tell the owner of your account:',
      },
    ],
  }),
  key: ({ deed, environment, endsWith, name, accountName, by, atMs }) => ({
    subject: `A ${environment} key of ${nameIn(accountName)} ${DEEDS[deed]}`,
    parts: [
      `An API key ${DEEDS[deed]}.`,
      {
        facts: [
          ['Account', accountName],
          ['Key', `${environment}, ends with ${endsWith}`],
          ...(name === null ? [] : [['Name', name] as const]),
          ['By', by],
          ['When', minuteOf(atMs)],
        ],
      },
      'If none of your people did this, revoke the key in the dashboard under Keys, and set new passwords.',
    ],
  }),
  'access-asked': ({ merchantId, merchantName, partnerId, partnerName, scopes, atMs }) => ({
    subject: `${nameIn(partnerName)} asks for access to ${nameIn(merchantName)}`,
    parts: [
      'A partner asks for access to a restaurant of yours. It has none until you approve it.',
      {
        facts: [
          ['Restaurant', `${nameIn(merchantName)} (${merchantId})`],
          ['Partner', `${nameIn(partnerName)} (${partnerId})`],
          ['Asks for', scopes.join(', ')],
          ['When', minuteOf(atMs)],
        ],
      },
      'Approve or decline it in the dashboard under Partners. If you do not know this partner, decline.',
    ],
  }),
  'access-answered': ({ deed, merchantId, accountName, scopes, atMs }) => ({
    subject: `${ACCESS[deed]} ${merchantId}`,
    parts: [
      `${ACCESS[deed]} ${merchantId}.`,
      {
        facts: [
          ['Your account', accountName],
          ...scopesIn(deed, scopes, ['You may', 'all that your keys may']),
          ['When', minuteOf(atMs)],
        ],
      },
      'See what you have and ask for more in the dashboard under Partners.',
    ],
  }),
  'request-answered': ({ answer, plan, accountName, atMs }) => ({
    subject: `${nameIn(accountName)} ${REQUESTS[answer]}`,
    parts: [
      answer === 'refused'
        ? 'Those who run the relay said no to what you asked for. You may ask again.'
        : 'Those who run the relay answered.',
      {
        facts: [
          ['Account', accountName],
          ['Plan', plan],
          ['When', minuteOf(atMs)],
        ],
      },
      answer === 'live'
        ? 'Make live keys in the dashboard under Keys. Billing has begun.'
        : 'See your plan in the dashboard under Usage.',
    ],
  }),
  'alert-began': ({ alert, sinceMs, link }) => {
    const { title, act } = alertWords(alerts, alert)
    return {
      subject: `Alert: ${title}`,
      parts: [`${title}.`, { facts: [['Since', minuteOf(sinceMs)]] }, act, ...linkIf(link, 'More in the dashboard:')],
    }
  },
  'alert-ended': ({ alert, sinceMs, endedMs, link }) => {
    const { title } = alertWords(alerts, alert)
    const from: [string, string] = ['From', minuteOf(sinceMs)]
    return {
      subject: `Over: ${title}`,
      parts: [
        'This is over. You need not do anything.',
        `${title}.`,
        { facts: [from, ['Until', minuteOf(endedMs)]] },
        ...linkIf(link, 'More in the dashboard:'),
      ],
    }
  },
  invoice: ({ accountName, month, totalCents, link }) => ({
    subject: `Invoice of ${month} for ${nameIn(accountName)}`,
    parts: [
      `The invoice of ${month} is ready.`,
      {
        facts: [
          ['Account', accountName],
          ['Total', dollarsIn(totalCents, 'by contract')],
        ],
      },
      ...linkIf(link, 'See it in the dashboard:'),
    ],
  }),
  'order-ready': ({ restaurant, number }) => ({
    subject: `${nameIn(restaurant)}: order ${nameIn(number)} is ready`,
    parts: [`Your order ${nameIn(number)} is ready for pickup at ${nameIn(restaurant)}.`],
  }),
  test: ({ by }) => ({
    subject: `Test mail of ${PRODUCT}`,
    parts: [`${nameIn(by)} asked for this mail to see whether mail arrives. It does.`],
  }),
}
