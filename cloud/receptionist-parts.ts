// What the receptionist is put together from: what answers calls, its routes.
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { App } from './api/app.ts'
import { activeCallsRoutes } from './api/receptionist/active-calls-routes.ts'
import { hookRoutes } from './api/receptionist/hook-routes.ts'
import type { Authorize } from './auth/authorize.ts'
import type { Shared } from './background.ts'
import type { CloudConfig } from './config.ts'
import type { InjectDeps } from './orders/inject-order.ts'
import { CallOrders } from './receptionist/call-orders.ts'
import { ChatDriver } from './receptionist/chat-driver.ts'
import { Receptionist } from './receptionist/receptionist.ts'
import { takesRecordings } from './receptionist/take-recording.ts'
import { GrantStore } from './storage/grant-store.ts'
import type { MerchantStore } from './storage/merchant-store.ts'
import type { NoticeStore } from './storage/notice-store.ts'
import type { PhoneNumberStore } from './storage/phone-number-store.ts'
import type { TextStore } from './storage/text-store.ts'
import type { VoicemailStore } from './storage/voicemail-store.ts'
import { telephonyOf } from './telephony-parts.ts'
import { takeText } from './texts/take-text.ts'
import { tellAtReady } from './texts/tell-at-ready.ts'

interface Given extends InjectDeps {
  voicemails: VoicemailStore
  phoneNumbers: PhoneNumberStore
  merchants: MerchantStore
  notices: NoticeStore
  texts: TextStore
  log: Logger
  /** Where this relay listens, known after its start. */
  ownUrl: () => string
}

/** What the relay's parts share of the receptionist. */
export function receptionistParts(
  config: CloudConfig,
  given: Given,
): Pick<
  Shared,
  'telephony' | 'receptionistUrl' | 'orderTaker' | 'hookSinks' | 'countries' | 'tellCustomer' | 'callLimits'
> {
  const { CLOUD_RECEPTIONIST_URL: own, CLOUD_PUBLIC_URL: shared, CLOUD_SMS_COUNTRIES: countries } = config
  return {
    telephony: telephonyOf(config, given),
    receptionistUrl: () => own ?? shared ?? given.ownUrl(),
    orderTaker: new CallOrders({ ...given, driver: chatOf(config, given.clock) }),
    hookSinks: { recording: takesRecordings(given), text: (number, news) => takeText(given, number, news) },
    countries,
    callLimits: { atOnce: config.CLOUD_VOICE_CALLS_AT_ONCE, aDay: config.CLOUD_VOICE_CALLS_A_DAY },
    tellCustomer: tellAtReady({ ...given, countries }),
  }
}

/** The hooks of telephone companies, and the calls that go on. */
export function receptionistRoutes(app: App, shared: Shared, authorize: Authorize): void {
  hookRoutes(app, { ...shared, answers: new Receptionist(shared), sinks: shared.hookSinks })
  activeCallsRoutes(app, { ...shared, grants: new GrantStore(shared.db), authorize })
}

/** Null: orders are understood by the names of the menu alone. */
function chatOf(
  { CLOUD_AGENT_URL: url, CLOUD_AGENT_KEY: key, CLOUD_AGENT_MODEL: model }: CloudConfig,
  clock: Clock,
): ChatDriver | null {
  return url === undefined ? null : new ChatDriver({ url, key, model, clock })
}
