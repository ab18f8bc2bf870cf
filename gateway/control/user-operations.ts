// Users of the page, the box's own settings, and access for the first user.
import { isDevice } from '#gateway/printers/usb-channel.ts'
import type { UserOutcome, UserRecord, UserRefusal } from '#gateway/storage/user-store.ts'
import { toIso } from '#shared/clock.ts'
import type { BoxSettingsAnswer, UserAnswer } from './answers.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { ControlRefusal } from './control-refusal.ts'
import { refuseWeakPassword } from './password-rules.ts'
import { requirePrinter } from './printer-view.ts'
import { printSetupTicket } from './setup-operations.ts'

type Operations = Pick<
  ControlHandlers,
  | 'users.list'
  | 'users.add'
  | 'users.update'
  | 'users.remove'
  | 'admin.setup-code'
  | 'admin.setup-ticket'
  | 'admin.reset'
  | 'settings.get'
  | 'settings.put'
>

export function userOperations(context: ControlContext): Operations {
  const { users, passwords, setupCode, box, time, site, kitchen } = context
  const newCode = (): string => {
    if (users.count() === 0) return setupCode.make()
    throw new ControlRefusal(
      'refused',
      'This box has its first user: a technician adds others on the page. If nobody can sign in any more: admin reset.',
    )
  }
  /** Its hash. @throws ControlRefusal when it is too easily guessed */
  const taken = async (password: string, name: string): Promise<string> => {
    await refuseWeakPassword('password', password, [name, box.settings().name, site.merchantName])
    return await passwords.hash(password)
  }
  return {
    'users.list': () => users.all().map(userOf),

    'users.add': async ({ name, role, password }) =>
      userOf(done(users.add({ name, role, password: await taken(password, name) }, time.now()))),

    'users.update': async ({ userId, name, role, password }) => {
      const called = name ?? users.find(userId)?.name ?? ''
      const hash = password === undefined ? undefined : await taken(password, called)
      return userOf(done(users.update(userId, { name, role, password: hash })))
    },

    'users.remove': ({ userId }) => userOf(done(users.remove(userId))),

    'admin.setup-code': () => ({ code: newCode() }),

    'admin.setup-ticket': async ({ printer }) => {
      const known = requirePrinter(context, printer)
      const code = newCode()
      // A printer in the network may be a stranger's device: there the terminal alone gets the code.
      const onPaper = isDevice(known.host) ? code : null
      return { ticketId: printSetupTicket(context, known, onPaper), code: onPaper === null ? code : null }
    },

    'admin.reset': () => {
      const before = users.count()
      users.removeAll()
      setupCode.used()
      return { code: setupCode.make(), users: before }
    },

    'settings.get': () => ({ ...box.settings(), ...zonesOf(site) }),

    'settings.put': (change) => {
      const changed = box.change(change)
      kitchen.boxWasChanged()
      return { ...changed, ...zonesOf(site) }
    },
  }
}

function zonesOf(site: ControlContext['site']): Pick<BoxSettingsAnswer, 'timeZoneUsed' | 'relayTimeZone'> {
  return { timeZoneUsed: site.timeZone, relayTimeZone: site.relayTimeZone ?? null }
}

export function userOf({ userId, name, role, createdAtMs }: UserRecord): UserAnswer {
  return { userId, name, role, createdAt: toIso(createdAtMs) }
}

const REFUSALS: Readonly<Record<UserRefusal, string>> = {
  'name-taken': 'Another user has this name: choose another one.',
  'unknown-user': 'There is no such user any more.',
  'last-technician': 'One technician must remain: make another user a technician first.',
  'too-many': 'A box has at most 50 users: remove one first.',
}

function done(outcome: UserOutcome): UserRecord {
  if (outcome.ok) return outcome.user
  throw userRefusal(outcome.reason)
}

export function userRefusal(reason: UserRefusal): ControlRefusal {
  const kind = reason === 'unknown-user' ? 'not-found' : 'refused'
  return new ControlRefusal(kind, REFUSALS[reason], { said: { key: `user.${reason}` } })
}
