// Access to the page: users, their passwords, the code for the first of them, and the box's own settings. One object for control room and page.
import { BoxSettingsStore } from '#gateway/storage/box-settings-store.ts'
import type { GatewayDatabase } from '#gateway/storage/database.ts'
import { UserStore } from '#gateway/storage/user-store.ts'
import { Passwords } from '#shared/pages/passwords.ts'
import type { SiteFacts } from '#shared/site-facts.ts'
import { SetupCode } from './setup-code.ts'

export interface BoxAccess {
  users: UserStore
  passwords: Passwords
  setupCode: SetupCode
  box: BoxSettingsStore
}

export function boxAccess(db: GatewayDatabase): BoxAccess {
  const box = new BoxSettingsStore(db)
  return { users: new UserStore(db), passwords: new Passwords(), setupCode: new SetupCode(box), box }
}

/** The restaurant from the pairing; until then as set on the page. A time zone set on the page stays: paper and page share one. */
export function siteOf(paired: SiteFacts, box: Pick<BoxSettingsStore, 'settings'>): SiteFacts {
  const isPaired = (): boolean => paired.gatewayId !== ''
  return {
    get gatewayId() {
      return paired.gatewayId
    },
    get merchantName() {
      return isPaired() ? paired.merchantName : box.settings().name
    },
    get ownName() {
      return box.settings().name
    },
    get timeZone() {
      return box.settings().timeZone || paired.timeZone
    },
    get ownTimeZone() {
      return box.settings().timeZone
    },
    get ownThresholds() {
      return box.settings().thresholds
    },
    get relayTimeZone() {
      return isPaired() ? paired.timeZone : null
    },
  }
}
