// Every store of the relay's database, created in one place: code that uses the database gets them by name.

import { AccountRequestStore } from './account-request-store.ts'
import { AccountStore } from './account-store.ts'
import { AlertFactStore } from './alert-fact-store.ts'
import { AlertStore } from './alert-store.ts'
import { ApiKeyStore } from './api-key-store.ts'
import { BacklogStore } from './backlog-store.ts'
import { CallListStore } from './call-list-store.ts'
import { CallStore } from './call-store.ts'
import { CallerDataStore } from './caller-data-store.ts'
import { CatalogStore } from './catalog-store.ts'
import { ChannelOutbox } from './channel-outbox.ts'
import { ChannelStore } from './channel-store.ts'
import { ClaimStore } from './claim-store.ts'
import { CodeStore } from './code-store.ts'
import { CustomerDataStore } from './customer-data-store.ts'
import type { RelayDatabase } from './database.ts'
import { DeliveryLog } from './delivery-log.ts'
import { DeliveryStore } from './delivery-store.ts'
import { DeviceSignInStore } from './device-sign-in-store.ts'
import { DispatchStore } from './dispatch-store.ts'
import { EndpointFigures } from './endpoint-figures.ts'
import { EndpointStore } from './endpoint-store.ts'
import { EventStore } from './event-store.ts'
import { FleetStore } from './fleet-store.ts'
import { GatewayConfigStore } from './gateway-config-store.ts'
import { GatewayCredentialStore } from './gateway-credential-store.ts'
import { GatewayListStore } from './gateway-list-store.ts'
import { GatewayPlaceStore } from './gateway-place-store.ts'
import { GatewayStore } from './gateway-store.ts'
import { GrantRequestStore } from './grant-request-store.ts'
import { HandBackStore } from './hand-back-store.ts'
import { IdempotencyStore } from './idempotency-store.ts'
import { InvoiceStore } from './invoice-store.ts'
import { LatencyStore } from './latency-store.ts'
import { ListenerStore } from './listener-store.ts'
import { LiveStore } from './live-store.ts'
import { LivedTimeStore } from './lived-time-store.ts'
import { LocationStore } from './location-store.ts'
import { MasterKeyStore } from './master-key-store.ts'
import { MembershipStore } from './membership-store.ts'
import { MerchantListStore } from './merchant-list-store.ts'
import { MerchantStore } from './merchant-store.ts'
import { NoticeStore } from './notice-store.ts'
import { OrderArchiveStore } from './order-archive-store.ts'
import { OrderStore } from './order-store.ts'
import { OrderTraceStore } from './order-trace-store.ts'
import { PasskeyStore } from './passkey-store.ts'
import { PhoneNumberStore } from './phone-number-store.ts'
import { PosOutboxStore } from './pos-outbox-store.ts'
import { PrintJobStore } from './print-job-store.ts'
import { RateBucketStore } from './rate-bucket-store.ts'
import { ReceptionistStore } from './receptionist-store.ts'
import { RegisterStore } from './register-store.ts'
import { RestoreStore } from './restore-store.ts'
import { SandboxFixtureStore } from './sandbox-fixture-store.ts'
import { SandboxKitchenStore } from './sandbox-kitchen-store.ts'
import { SandboxTicketStore } from './sandbox-ticket-store.ts'
import { LoginSessionStore } from './session-store.ts'
import { SignInTryStore } from './sign-in-try-store.ts'
import { TextStore } from './text-store.ts'
import { UsageStore } from './usage-store.ts'
import { UserStore } from './user-store.ts'
import { VoicemailStore } from './voicemail-store.ts'
import { WebhookHistory } from './webhook-history.ts'

export type Stores = ReturnType<typeof openStores>

export function openStores(db: RelayDatabase) {
  return {
    accounts: new AccountStore(db),
    accountRequests: new AccountRequestStore(db),
    signInTries: new SignInTryStore(db),
    backlog: new BacklogStore(db),
    alertFacts: new AlertFactStore(db),
    alerts: new AlertStore(db),
    apiKeys: new ApiKeyStore(db),
    merchants: new MerchantStore(db),
    livedTime: new LivedTimeStore(db),
    locations: new LocationStore(db),
    masterKeys: new MasterKeyStore(db),
    catalog: new CatalogStore(db),
    claims: new ClaimStore(db),
    configs: new GatewayConfigStore(db),
    gatewayList: new GatewayListStore(db),
    credentials: new GatewayCredentialStore(db),
    channels: new ChannelStore(db),
    channelOutbox: new ChannelOutbox(db),
    customerData: new CustomerDataStore(db),
    notices: new NoticeStore(db),
    orders: new OrderStore(db),
    orderArchive: new OrderArchiveStore(db),
    orderTraces: new OrderTraceStore(db),
    rateBuckets: new RateBucketStore(db),
    registers: new RegisterStore(db),
    posOutbox: new PosOutboxStore(db),
    printJobs: new PrintJobStore(db),
    dispatches: new DispatchStore(db),
    gateways: new GatewayStore(db),
    endpointFigures: new EndpointFigures(db),
    gatewayPlaces: new GatewayPlaceStore(db),
    endpoints: new EndpointStore(db),
    deliveries: new DeliveryStore(db),
    deliveryLog: new DeliveryLog(db),
    events: new EventStore(db),
    webhookHistory: new WebhookHistory(db),
    merchantList: new MerchantListStore(db),
    handBacks: new HandBackStore(db),
    restores: new RestoreStore(db),
    usage: new UsageStore(db),
    idempotency: new IdempotencyStore(db),
    invoices: new InvoiceStore(db),
    grantRequests: new GrantRequestStore(db),
    latency: new LatencyStore(db),
    fleet: new FleetStore(db),
    fixtures: new SandboxFixtureStore(db),
    sandboxKitchens: new SandboxKitchenStore(db),
    sandboxTickets: new SandboxTicketStore(db),
    users: new UserStore(db),
    memberships: new MembershipStore(db),
    listeners: new ListenerStore(db),
    live: new LiveStore(db),
    logins: new LoginSessionStore(db),
    codes: new CodeStore(db),
    deviceSignIns: new DeviceSignInStore(db),
    passkeys: new PasskeyStore(db),
    ...receptionistStores(db),
  }
}

function receptionistStores(db: RelayDatabase) {
  return {
    calls: new CallStore(db),
    callList: new CallListStore(db),
    receptionist: new ReceptionistStore(db),
    phoneNumbers: new PhoneNumberStore(db),
    texts: new TextStore(db),
    voicemails: new VoicemailStore(db),
    callerData: new CallerDataStore(db),
  }
}
