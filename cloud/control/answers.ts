// What each operation answers. Types alone: the dashboard's page reads them. One line for each list: TypeScript merges them.
import type { AccountAnswers } from './account-list.ts'
import type { AlertAnswers } from './alert-list.ts'
import type { AuditAnswers } from './audit-list.ts'
import type { CallAnswers } from './call-list.ts'
import type { CallerAnswers } from './caller-list.ts'
import type { ChannelAnswers } from './channel-list.ts'
import type { DeviceAnswers } from './device-list.ts'
import type { EventAnswers } from './event-list.ts'
import type { FleetAnswers } from './fleet-list.ts'
import type { GatewayAnswers } from './gateway-list.ts'
import type { GrantAnswers } from './grant-list.ts'
import type { KeyAnswers } from './key-list.ts'
import type { KitchenAnswers } from './kitchen-list.ts'
import type { MeAnswers } from './me-list.ts'
import type { MenuAnswers } from './menu-list.ts'
import type { MerchantAnswers } from './merchant-list.ts'
import type { NoticeAnswers } from './notice-list.ts'
import type { NumberAnswers } from './number-list.ts'
import type { OrderAnswers } from './order-list.ts'
import type { OwnAccountAnswers } from './own-account-list.ts'
import type { PeopleAnswers } from './people-list.ts'
import type { PrintAnswers } from './print-list.ts'
import type { PrinterAnswers } from './printer-list.ts'
import type { ReceptionistAnswers } from './receptionist-list.ts'
import type { RequestAnswers } from './request-list.ts'
import type { SandboxAnswers } from './sandbox-list.ts'
import type { SliceAnswers } from './slice-list.ts'
import type { TextAnswers } from './text-list.ts'
import type { UsageAnswers } from './usage-list.ts'
import type { VoicemailAnswers } from './voicemail-list.ts'
import type { WebhookAnswers } from './webhook-list.ts'
import type { WorkspaceAnswers } from './workspace-list.ts'

export interface OperationAnswers extends WorkspaceAnswers {}
export interface OperationAnswers extends KeyAnswers {}
export interface OperationAnswers extends DeviceAnswers {}
export interface OperationAnswers extends WebhookAnswers {}
export interface OperationAnswers extends EventAnswers {}
export interface OperationAnswers extends RequestAnswers {}
export interface OperationAnswers extends AccountAnswers {}
export interface OperationAnswers extends OwnAccountAnswers {}
export interface OperationAnswers extends GrantAnswers {}
export interface OperationAnswers extends UsageAnswers {}
export interface OperationAnswers extends AuditAnswers {}
export interface OperationAnswers extends SliceAnswers {}
export interface OperationAnswers extends FleetAnswers {}
export interface OperationAnswers extends OrderAnswers {}
export interface OperationAnswers extends PrintAnswers {}
export interface OperationAnswers extends SandboxAnswers {}
export interface OperationAnswers extends ChannelAnswers {}
export interface OperationAnswers extends GatewayAnswers {}
export interface OperationAnswers extends KitchenAnswers {}
export interface OperationAnswers extends MenuAnswers {}
export interface OperationAnswers extends MerchantAnswers {}
export interface OperationAnswers extends PrinterAnswers {}
export interface OperationAnswers extends MeAnswers {}
export interface OperationAnswers extends PeopleAnswers {}
export interface OperationAnswers extends NoticeAnswers {}
export interface OperationAnswers extends AlertAnswers {}
export interface OperationAnswers extends ReceptionistAnswers {}
export interface OperationAnswers extends NumberAnswers {}
export interface OperationAnswers extends CallAnswers {}
export interface OperationAnswers extends CallerAnswers {}
export interface OperationAnswers extends VoicemailAnswers {}
export interface OperationAnswers extends TextAnswers {}
